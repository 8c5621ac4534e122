// The buffers of a camera, kept from one stream to the next.
#pragma once

#include <libcamera/camera.h>

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
/// lease, which frees it. The driver's own buffers are no exception: as dma-bufs they outlive the
/// allocator that made them (V4L2's orphaned buffers).
class BufferStock {
 public:
  explicit BufferStock(const std::string &camera_id) : heap_(memory_source_of(camera_id)) {}

  /// Returns the expected allocator of the buffers.
  platen_camera_memory expected_kind() const;

  /// Returns the allocator of the buffers of the last fill().
  platen_camera_memory kind_in_use() const { return kind_; }

  /// Returns `least` to `wanted` buffers for a configured stream, or throws ENOMEM.
  std::vector<std::shared_ptr<FrameMemory>> fill(
      const std::shared_ptr<libcamera::Camera> &camera, libcamera::Stream *stream, size_t wanted,
      size_t least);

  /// Returns the number of buffers that are kept.
  size_t size() const { return kept_.size(); }

  /// Separates the unleased buffers from the memory of their raw frames and previews.
  void separate();

  /// Frees all buffers that are not leased.
  void clear() { kept_.clear(); }

 private:
  void add_of_heap(size_t wanted);
  int add_of_driver(
      const std::shared_ptr<libcamera::Camera> &camera, libcamera::Stream *stream, size_t wanted);

  DmaHeap heap_;
  FrameLayout layout_ = {};
  platen_camera_memory kind_ = PLATEN_CAMERA_MEMORY_DRIVER;
  std::vector<std::shared_ptr<FrameMemory>> kept_;
};

}  // namespace platen
