#include "DmaHeap.hpp"

#include <fcntl.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace platen {
namespace {

// The first is Raspberry Pi OS's name for what suits the board; the next three are what kernels
// have called the default CMA area.
constexpr const char *heap_paths[] = {
    "/dev/dma_heap/vidbuf_cached", "/dev/dma_heap/linux,cma", "/dev/dma_heap/default_cma_region",
    "/dev/dma_heap/reserved", "/dev/dma_heap/system"};

int make_udmabuf(int device, size_t size) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const size_t rounded = (size + page - 1) / page * page;
  const int memory = ::memfd_create("platen-frame", MFD_ALLOW_SEALING | MFD_CLOEXEC);
  if (memory < 0)
    return -errno;
  int result = -1;
  struct udmabuf_create request = {};
  request.memfd = static_cast<uint32_t>(memory);
  request.flags = UDMABUF_FLAGS_CLOEXEC;
  request.size = rounded;
  if (::ftruncate(memory, static_cast<off_t>(rounded)) == 0 &&
      ::fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
    result = ::ioctl(device, UDMABUF_CREATE, &request);
  const int error = errno;
  ::close(memory);
  return result < 0 ? -error : result;
}

}  // namespace

DmaHeap::DmaHeap() {
  for (const char *path : heap_paths) {
    descriptor_ = ::open(path, O_RDWR | O_CLOEXEC);
    if (descriptor_ >= 0) {
      kind_ = PLATEN_CAMERA_MEMORY_HEAP;
      return;
    }
  }
  descriptor_ = ::open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
  if (descriptor_ >= 0)
    kind_ = PLATEN_CAMERA_MEMORY_UDMABUF;
}

DmaHeap::~DmaHeap() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

int DmaHeap::allocate(size_t size) const {
  if (kind_ == PLATEN_CAMERA_MEMORY_UDMABUF)
    return make_udmabuf(descriptor_, size);
  struct dma_heap_allocation_data request = {};
  request.len = size;
  request.fd_flags = O_RDWR | O_CLOEXEC;
  if (::ioctl(descriptor_, DMA_HEAP_IOCTL_ALLOC, &request) != 0)
    return -errno;
  return static_cast<int>(request.fd);
}

}  // namespace platen
