// The source of buffers that are not the driver's.
#pragma once

#include <cstddef>

#include "MemorySource.hpp"

namespace platen {

/// The kernel's dma-buf heap that suits a camera, if there is one.
///
/// Memory of a heap is cached. Before 0.7 libcamera aborts when it has to stop a camera whose
/// driver refused a buffer, so only memory that the driver is sure to take may be used.
/// /dev/udmabuf is not used: before Linux 6.13 many drivers cannot map it.
class DmaHeap {
 public:
  /// Opens a heap of a kind; none for the driver's own memory.
  explicit DmaHeap(MemorySource source);
  ~DmaHeap();

  DmaHeap(const DmaHeap &) = delete;
  DmaHeap &operator=(const DmaHeap &) = delete;

  bool is_usable() const { return descriptor_ >= 0; }

  /// Returns a new dma-buf of at least `size` bytes, or a negative errno.
  int allocate(size_t size) const;

 private:
  void open_if_none(const char *path);

  int descriptor_ = -1;
};

}  // namespace platen
