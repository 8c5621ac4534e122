// The memory of a frame: a dma-buf, mapped once for its lifetime.
#pragma once

#include <libcamera/framebuffer.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace platen {

/// The division into planes of a frame that the shim allocates.
struct FrameLayout {
  uint32_t format;
  uint32_t stride;
  uint32_t height;
  uint32_t frame_size;

  /// Returns the planes one after the other; the last one takes the rest of the frame.
  ///
  /// libcamera's own allocator gives the same count for single-planar V4L2 formats. An ISP that
  /// needs a descriptor for each plane (V4L2's NV12M; no Raspberry Pi has one) cannot use them.
  std::vector<std::pair<uint32_t, uint32_t>> planes() const;
};

/// A mapped dma-buf that libcamera can fill and the processor can read.
///
/// A lease may keep the memory long after the stream; the memory is freed with the last holder.
class FrameMemory {
 public:
  /// Takes ownership of a dma-buf and wraps it for libcamera.
  FrameMemory(int descriptor, const FrameLayout &layout);

  /// Wraps the memory of a buffer of libcamera's allocator; the buffer itself may go.
  explicit FrameMemory(const libcamera::FrameBuffer &exported);

  ~FrameMemory();

  FrameMemory(const FrameMemory &) = delete;
  FrameMemory &operator=(const FrameMemory &) = delete;

  libcamera::FrameBuffer *buffer() const { return buffer_.get(); }
  int descriptor() const { return descriptor_; }
  uint32_t offset() const { return offset_; }
  uint32_t size() const { return size_; }
  const uint8_t *bytes() const { return map_ + offset_; }

  /// The memory of the raw frame that is filled together with this one; null without raw frames.
  ///
  /// It is changed only while no stream runs and this memory is not leased.
  const std::shared_ptr<FrameMemory> &raw() const { return raw_; }
  void set_raw(std::shared_ptr<FrameMemory> raw) { raw_ = std::move(raw); }

  /// The memory of the preview that is filled together with this one, as raw().
  const std::shared_ptr<FrameMemory> &preview() const { return preview_; }
  void set_preview(std::shared_ptr<FrameMemory> preview) { preview_ = std::move(preview); }

  /// Begins and ends reading by the processor (DMA_BUF_IOCTL_SYNC); 0 or a negative errno.
  int begin_read() const;
  int end_read() const;

 private:
  void map();
  int synchronize(uint64_t flags) const;

  int descriptor_;
  uint32_t offset_ = 0;
  uint32_t size_;
  const uint8_t *map_ = nullptr;
  std::unique_ptr<libcamera::FrameBuffer> buffer_;
  std::shared_ptr<FrameMemory> raw_;
  std::shared_ptr<FrameMemory> preview_;
};

}  // namespace platen
