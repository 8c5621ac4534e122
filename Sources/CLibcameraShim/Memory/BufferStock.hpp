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

/// Gives a stream its buffers and takes those that nobody leases into the next stream.
///
/// Allocating contiguous memory anew at each start fragments it until nothing can be had before a
/// reboot, so buffers of the same layout are used again. A buffer still leased is left to its
/// lease, which frees it.
class BufferStock {
 public:
  explicit BufferStock(const std::string &camera_id) : heap_(camera_id) {}

  /// Who would make the buffers, as far as is known before trying.
  platen_camera_memory expected_kind() const;

  /// Who made the buffers of the last fill().
  platen_camera_memory kind_in_use() const;

  /// At most `wanted` buffers for a configured stream and at least `least`, or ENOMEM.
  ///
  /// The driver's own allocator gives as many as the stream's configuration says.
  std::vector<std::shared_ptr<FrameMemory>> fill(
      const std::shared_ptr<libcamera::Camera> &camera, libcamera::Stream *stream, size_t wanted,
      size_t least);

  /// How many buffers of a heap are kept.
  size_t size() const { return kept_.size(); }

  /// Gives the driver's buffers up, which a camera must be rid of before it is configured.
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
