// The source of buffers that are not the driver's.
#pragma once

#include <cstddef>
#include <string>

namespace platen {

/// The kernel's dma-buf heap that suits a camera, if there is one.
///
/// Memory of a heap is cached, which the processor reads ten times faster than the driver's own
/// uncached buffers. The number of its buffers is not limited. Before 0.7 libcamera aborts when it
/// has to stop a camera whose driver refused a buffer. So only memory that the driver is sure to
/// take may be used. A MIPI camera's ISP may need contiguous memory, as the heaps named first have
/// it. The system heap's memory is scattered, which suits USB cameras and vimc. /dev/udmabuf is not
/// used: before Linux 6.13 those drivers cannot map it.
class DmaHeap {
 public:
  /// Opens the heap for the camera with an ID of libcamera.
  explicit DmaHeap(const std::string &camera_id);
  ~DmaHeap();

  DmaHeap(const DmaHeap &) = delete;
  DmaHeap &operator=(const DmaHeap &) = delete;

  bool is_usable() const { return descriptor_ >= 0; }

  /// Returns a new dma-buf of at least `size` bytes, or a negative errno.
  int allocate(size_t size) const;

 private:
  int descriptor_ = -1;
};

}  // namespace platen
