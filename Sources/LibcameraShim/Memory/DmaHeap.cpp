#include "DmaHeap.hpp"

#include <fcntl.h>
#include <linux/dma-heap.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

namespace platen {
namespace {

// The first name is Raspberry Pi OS's for the memory that suits the board. The others are the
// kernels' names of the default CMA area.
constexpr const char *suitable_heaps[] = {
    "/dev/dma_heap/vidbuf_cached", "/dev/dma_heap/linux,cma", "/dev/dma_heap/default_cma_region",
    "/dev/dma_heap/reserved"};

constexpr const char *scattered_heap = "/dev/dma_heap/system";

/// Returns whether the driver copies or maps page by page.
///
/// All drivers do except those of MIPI cameras in a device tree, whose IDs are their paths in it.
/// The path of a USB camera there contains the word "usb".
bool takes_scattered_memory(const std::string &camera_id) {
  return !camera_id.starts_with("/base/") || camera_id.find("usb") != camera_id.npos;
}

}  // namespace

DmaHeap::DmaHeap(const std::string &camera_id) {
  for (const char *path : suitable_heaps) {
    if (descriptor_ < 0)
      descriptor_ = ::open(path, O_RDWR | O_CLOEXEC);
  }
  if (descriptor_ < 0 && takes_scattered_memory(camera_id))
    descriptor_ = ::open(scattered_heap, O_RDWR | O_CLOEXEC);
}

DmaHeap::~DmaHeap() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

int DmaHeap::allocate(size_t size) const {
  struct dma_heap_allocation_data request = {};
  request.len = size;
  request.fd_flags = O_RDWR | O_CLOEXEC;
  if (::ioctl(descriptor_, DMA_HEAP_IOCTL_ALLOC, &request) != 0)
    return -errno;
  return static_cast<int>(request.fd);
}

}  // namespace platen
