#include "BufferStock.hpp"

#include <libcamera/framebuffer_allocator.h>

#include "../Entry/Failure.hpp"

namespace platen {

platen_camera_memory BufferStock::expected_kind() const {
  return heap_.is_usable() ? PLATEN_CAMERA_MEMORY_HEAP : PLATEN_CAMERA_MEMORY_DRIVER;
}

std::vector<std::shared_ptr<FrameMemory>> BufferStock::fill(
    const std::shared_ptr<libcamera::Camera> &camera, libcamera::Stream *stream, size_t wanted,
    size_t least) {
  const libcamera::StreamConfiguration &configuration = stream->configuration();
  const FrameLayout layout = {
      configuration.pixelFormat.fourcc(), configuration.stride, configuration.size.height,
      configuration.frameSize};
  const bool is_same = kind_ == expected_kind() && layout.format == layout_.format &&
                       layout.stride == layout_.stride && layout.height == layout_.height &&
                       layout.frame_size == layout_.frame_size;
  // A buffer that a lease still holds belongs to the lease.
  std::erase_if(kept_, [&](const auto &memory) { return !is_same || memory.use_count() > 1; });
  layout_ = layout;
  kind_ = expected_kind();
  if (kept_.size() > wanted)
    kept_.resize(wanted);
  if (kind_ == PLATEN_CAMERA_MEMORY_HEAP) {
    add_of_heap(wanted);
    if (kept_.size() >= least)
      return kept_;
    kept_.clear();
    kind_ = PLATEN_CAMERA_MEMORY_DRIVER;
  }
  const int error = add_of_driver(camera, stream, wanted);
  if (kept_.size() >= least)
    return kept_;
  kept_.clear();
  throw Failure{error, "there are no buffers to be had: " + describe(error)};
}

void BufferStock::separate() {
  for (const auto &memory : kept_) {
    if (memory.use_count() > 1)
      continue;
    memory->set_raw(nullptr);
    memory->set_preview(nullptr);
  }
}

void BufferStock::add_of_heap(size_t wanted) {
  while (kept_.size() < wanted) {
    const int descriptor = heap_.allocate(layout_.frame_size);
    if (descriptor < 0)
      return;
    kept_.push_back(std::make_shared<FrameMemory>(descriptor, layout_));
  }
}

int BufferStock::add_of_driver(
    const std::shared_ptr<libcamera::Camera> &camera, libcamera::Stream *stream, size_t wanted) {
  while (kept_.size() < wanted) {
    // An allocator gives one set of as many buffers as the stream's configuration names, and there
    // can be several sets (V4L2VideoDevice::exportBuffers() in libcamera).
    libcamera::FrameBufferAllocator allocator(camera);
    const int allocated = allocator.allocate(stream);
    if (allocated <= 0)
      return allocated ? allocated : -ENOMEM;
    for (const auto &buffer : allocator.buffers(stream)) {
      if (kept_.size() < wanted)
        kept_.push_back(std::make_shared<FrameMemory>(*buffer));
    }
  }
  return 0;
}

}  // namespace platen
