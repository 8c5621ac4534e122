// The buffers of a camera, kept from one stream to the next.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/framebuffer_allocator.h>

#include <memory>
#include <string>
#include <vector>

#include "DmaHeap.hpp"
#include "FrameMemory.hpp"
#include "platen_camera.h"

namespace platen {

/// Gives a stream its buffers and keeps the unleased ones for the next stream.
///
/// Allocating contiguous memory again at each start fragments it, until allocations fail and only a
/// reboot helps. So buffers of the same layout are reused. A buffer still leased is left to its
/// lease, which frees it.
class BufferStock {
 public:
  explicit BufferStock(const std::string &camera_id) : heap_(camera_id) {}

  /// Returns the expected allocator of the buffers.
  platen_camera_memory expected_kind() const;

  /// Returns the allocator of the buffers of the last fill().
  platen_camera_memory kind_in_use() const;

  /// Returns `least` to `wanted` buffers for a configured stream, or throws ENOMEM.
  ///
  /// The driver's own allocator gives as many as the stream's configuration names.
  std::vector<std::shared_ptr<FrameMemory>> fill(
      const std::shared_ptr<libcamera::Camera> &camera, libcamera::Stream *stream, size_t wanted,
      size_t least);

  /// Returns the number of a heap's buffers that are kept.
  size_t size() const { return kept_.size(); }

  /// Frees the driver's buffers, which a camera must not have when it is configured.
  void return_driver_buffers();

  /// Frees all buffers that are not leased.
  void clear();

 private:
  DmaHeap heap_;
  FrameLayout layout_ = {};
  std::vector<std::shared_ptr<FrameMemory>> kept_;
  std::unique_ptr<libcamera::FrameBufferAllocator> allocator_;
};

}  // namespace platen
