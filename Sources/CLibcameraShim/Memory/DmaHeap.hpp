// Where buffers that are not the driver's come from.
#pragma once

#include <cstddef>

#include "platen_camera.h"

namespace platen {

/// A source of dma-bufs: the first usable of the kernel's heaps, else /dev/udmabuf.
///
/// Memory from the heaps named first is cached and physically contiguous, which a Raspberry Pi's
/// ISP needs and the processor reads ten times faster than the driver's own uncached buffers. The
/// system heap and udmabuf are scattered: right for USB cameras, vimc and a Pi 5.
class DmaHeap {
 public:
  DmaHeap();
  ~DmaHeap();

  DmaHeap(const DmaHeap &) = delete;
  DmaHeap &operator=(const DmaHeap &) = delete;

  bool is_usable() const { return descriptor_ >= 0; }
  platen_camera_memory kind() const { return kind_; }

  /// A new dma-buf of at least `size` bytes, or a negative errno.
  int allocate(size_t size) const;

 private:
  int descriptor_ = -1;
  platen_camera_memory kind_ = PLATEN_CAMERA_MEMORY_DRIVER;
};

}  // namespace platen
