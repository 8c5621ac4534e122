// The right to read a finished frame.
#pragma once

#include <memory>

#include "RunningStream.hpp"

namespace platen {

/// Keeps a frame's memory, and keeps it from being refilled while its stream runs.
class FrameLease {
 public:
  FrameLease(std::weak_ptr<RunningStream> stream, const FrameRing::Frame &frame)
      : stream_(std::move(stream)),
        id_(frame.info.id),
        byte_count_(frame.byte_count),
        has_raw_(frame.has_raw),
        has_preview_(frame.has_preview),
        memory_(frame.memory) {}

  ~FrameLease() {
    memory_.reset();
    if (auto stream = stream_.lock())
      stream->end_lease(id_);
  }

  FrameLease(const FrameLease &) = delete;
  FrameLease &operator=(const FrameLease &) = delete;

  const FrameMemory &memory() const { return *memory_; }
  uint32_t byte_count() const { return byte_count_; }

  /// The memory of the raw frame; null without one.
  const FrameMemory *raw() const { return has_raw_ ? memory_->raw().get() : nullptr; }

  /// The memory of the preview; null without one.
  const FrameMemory *preview() const { return has_preview_ ? memory_->preview().get() : nullptr; }

 private:
  const std::weak_ptr<RunningStream> stream_;
  const uint64_t id_;
  const uint32_t byte_count_;
  const bool has_raw_;
  const bool has_preview_;
  std::shared_ptr<FrameMemory> memory_;
};

}  // namespace platen
