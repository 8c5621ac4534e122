// Where buffers that are not the driver's come from.
#pragma once

#include <cstddef>
#include <string>

namespace platen {

/// The kernel's dma-buf heap that suits a camera, if there is one.
///
/// Memory of a heap is cached, which the processor reads ten times faster than the driver's own
/// uncached buffers, and there are as many buffers as one likes. Before 0.7 libcamera aborts when
/// it has to stop a camera whose driver refused a buffer, so only memory that the driver is sure to
/// take may be used: a MIPI camera's ISP may need it contiguous, as the heaps named first have it;
/// the system heap's is scattered, right for USB cameras and vimc. /dev/udmabuf is not used:
/// before Linux 6.13 those drivers cannot map it.
class DmaHeap {
 public:
  /// Opens the heap for the camera with an ID of libcamera's.
  explicit DmaHeap(const std::string &camera_id);
  ~DmaHeap();

  DmaHeap(const DmaHeap &) = delete;
  DmaHeap &operator=(const DmaHeap &) = delete;

  bool is_usable() const { return descriptor_ >= 0; }

  /// A new dma-buf of at least `size` bytes, or a negative errno.
  int allocate(size_t size) const;

 private:
  int descriptor_ = -1;
};

}  // namespace platen
