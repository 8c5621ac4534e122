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
constexpr const char *contiguous_heaps[] = {
    "/dev/dma_heap/vidbuf_cached", "/dev/dma_heap/linux,cma", "/dev/dma_heap/default_cma_region",
    "/dev/dma_heap/reserved"};

constexpr const char *scattered_heap = "/dev/dma_heap/system";

}  // namespace

DmaHeap::DmaHeap(MemorySource source) {
  if (source == MemorySource::driver)
    return;
  // Contiguous memory is scarce, so it is left to the cameras that need it.
  if (source == MemorySource::any_heap)
    open_if_none(scattered_heap);
  for (const char *path : contiguous_heaps)
    open_if_none(path);
}

void DmaHeap::open_if_none(const char *path) {
  if (descriptor_ < 0)
    descriptor_ = ::open(path, O_RDWR | O_CLOEXEC);
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
