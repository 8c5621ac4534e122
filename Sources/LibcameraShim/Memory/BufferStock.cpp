#include "BufferStock.hpp"

#include <algorithm>

#include "../Entry/Failure.hpp"

namespace platen {

platen_camera_memory BufferStock::expected_kind() const {
  return heap_.is_usable() ? PLATEN_CAMERA_MEMORY_HEAP : PLATEN_CAMERA_MEMORY_DRIVER;
}

platen_camera_memory BufferStock::kind_in_use() const {
  return allocator_ ? PLATEN_CAMERA_MEMORY_DRIVER : PLATEN_CAMERA_MEMORY_HEAP;
}

std::vector<std::shared_ptr<FrameMemory>> BufferStock::fill(
    const std::shared_ptr<libcamera::Camera> &camera, libcamera::Stream *stream, size_t wanted,
    size_t least) {
  const libcamera::StreamConfiguration &configuration = stream->configuration();
  const FrameLayout layout = {
      configuration.pixelFormat.fourcc(), configuration.stride, configuration.size.height,
      configuration.frameSize};
  const bool is_same = layout.format == layout_.format && layout.stride == layout_.stride &&
                       layout.height == layout_.height && layout.frame_size == layout_.frame_size;
  if (heap_.is_usable()) {
    // A buffer that a lease still holds belongs to the lease.
    std::erase_if(kept_, [&](const auto &memory) { return !is_same || memory.use_count() > 1; });
    layout_ = layout;
    if (kept_.size() > wanted)
      kept_.resize(wanted);
    while (kept_.size() < wanted) {
      const int descriptor = heap_.allocate(layout.frame_size);
      if (descriptor < 0)
        break;
      kept_.push_back(std::make_shared<FrameMemory>(descriptor, layout));
    }
    if (kept_.size() >= least)
      return kept_;
    kept_.clear();
  }
  allocator_ = std::make_unique<libcamera::FrameBufferAllocator>(camera);
  const int allocated = allocator_->allocate(stream);
  if (allocated < 0) {
    allocator_.reset();
    throw Failure{allocated, "there are no buffers to be had: " + describe(allocated)};
  }
  std::vector<std::shared_ptr<FrameMemory>> buffers;
  for (const auto &buffer : allocator_->buffers(stream))
    buffers.push_back(std::make_shared<FrameMemory>(buffer.get()));
  if (buffers.size() < least)
    throw Failure{-ENOMEM, "the driver gives too few buffers"};
  return buffers;
}

void BufferStock::return_driver_buffers() { allocator_.reset(); }

void BufferStock::clear() {
  kept_.clear();
  allocator_.reset();
}

}  // namespace platen
