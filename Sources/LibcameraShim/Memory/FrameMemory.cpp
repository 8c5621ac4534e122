#include "FrameMemory.hpp"

#include <fcntl.h>
#include <libcamera/formats.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../Entry/Failure.hpp"

namespace platen {
namespace {

using Plane = libcamera::FrameBuffer::Plane;

bool same_file(int one, int other) {
  struct stat first, second;
  return one == other || (::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 &&
                          first.st_dev == second.st_dev && first.st_ino == second.st_ino);
}

}  // namespace

std::vector<std::pair<uint32_t, uint32_t>> FrameLayout::planes() const {
  namespace formats = libcamera::formats;
  const uint32_t luma = stride * height;
  const uint32_t chroma_rows = (height + 1) / 2;
  std::vector<uint32_t> starts = {0};
  if (format == formats::YUV420.fourcc())
    starts = {0, luma, luma + stride / 2 * chroma_rows};
  else if (format == formats::NV12.fourcc())
    starts = {0, luma};
  std::vector<std::pair<uint32_t, uint32_t>> planes;
  for (size_t index = 0; index < starts.size(); index++) {
    const uint32_t end = index + 1 < starts.size() ? starts[index + 1] : frame_size;
    if (end <= starts[index])
      throw Failure{-EINVAL, "the camera reports a frame smaller than its planes"};
    planes.emplace_back(starts[index], end - starts[index]);
  }
  return planes;
}

FrameMemory::FrameMemory(int descriptor, const FrameLayout &layout)
    : descriptor_(descriptor), size_(layout.frame_size) {
  try {
    libcamera::SharedFD shared(descriptor_);
    std::vector<Plane> planes;
    for (const auto &[offset, length] : layout.planes()) {
      Plane plane;
      plane.fd = shared;
      plane.offset = offset;
      plane.length = length;
      planes.push_back(plane);
    }
    buffer_ = std::make_unique<libcamera::FrameBuffer>(planes);
    map();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

FrameMemory::FrameMemory(const libcamera::FrameBuffer &exported) : size_(0) {
  // The planes are a vector in some versions, a span in others.
  std::vector<Plane> planes(exported.planes().begin(), exported.planes().end());
  const int first = planes[0].fd.get();
  // Drivers of old kernels omit the only plane's offset.
  for (auto &plane : planes)
    plane.offset = plane.offset == Plane::kInvalidOffset ? 0 : plane.offset;
  offset_ = planes[0].offset;
  uint32_t end = offset_;
  for (const auto &plane : planes) {
    if (!same_file(first, plane.fd.get()) || plane.offset != end)
      throw Failure{-ENOTSUP, "the driver keeps the planes of a frame apart"};
    end = plane.offset + plane.length;
  }
  size_ = end - offset_;
  descriptor_ = ::fcntl(first, F_DUPFD_CLOEXEC, 0);
  if (descriptor_ < 0)
    throw Failure{-errno, "a buffer's descriptor cannot be copied: " + describe(-errno)};
  try {
    buffer_ = std::make_unique<libcamera::FrameBuffer>(planes);
    map();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

void FrameMemory::map() {
  void *address = ::mmap(nullptr, offset_ + size_, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (address == MAP_FAILED)
    throw Failure{-errno, "a buffer cannot be mapped: " + describe(-errno)};
  map_ = static_cast<const uint8_t *>(address);
}

FrameMemory::~FrameMemory() {
  ::munmap(const_cast<uint8_t *>(map_), offset_ + size_);
  ::close(descriptor_);
}

int FrameMemory::begin_read() const { return synchronize(DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ); }

int FrameMemory::end_read() const { return synchronize(DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ); }

int FrameMemory::synchronize(uint64_t flags) const {
  struct dma_buf_sync sync = {};
  sync.flags = flags;
  while (::ioctl(descriptor_, DMA_BUF_IOCTL_SYNC, &sync) != 0) {
    // The kernel requires a retry after a signal. Memory that is no dma-buf needs no call.
    if (errno == ENOTTY || errno == EINVAL)
      return 0;
    if (errno != EINTR && errno != EAGAIN)
      return -errno;
  }
  return 0;
}

}  // namespace platen
