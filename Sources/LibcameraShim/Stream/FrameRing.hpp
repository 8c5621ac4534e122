// The free buffers, the finished frames, and the leases on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../Memory/FrameMemory.hpp"
#include "platen_camera.h"

namespace platen {

/// The buffers that the driver does not have: a value without locks, threads or libcamera.
///
/// A finished frame stays until its buffer is needed, oldest first. A leased frame stays as long as
/// it is leased, and is an ordinary frame of the ring again afterwards. So a frame that the preview
/// has read can still be chosen for a press.
class FrameRing {
 public:
  struct Frame {
    platen_camera_frame_info info;
    uint32_t byte_count;
    std::shared_ptr<FrameMemory> memory;
    bool has_raw;      // the raw memory has the frame of the same exposure
    bool has_preview;  // the preview's memory has a whole picture
    uint32_t leases;
  };

  explicit FrameRing(std::vector<std::shared_ptr<FrameMemory>> buffers);

  /// Returns a buffer to be filled: a free one, else that of the oldest unleased frame.
  ///
  /// The newest `kept` unleased frames stay. The result is null when no other buffer is left.
  std::shared_ptr<FrameMemory> take(size_t kept);

  /// Returns a buffer to the ring without a frame in it.
  void put_back(std::shared_ptr<FrameMemory> memory);

  /// Keeps a finished frame, newer than all others.
  void hold(const platen_camera_frame_info &info, uint32_t byte_count,
            std::shared_ptr<FrameMemory> memory, bool has_raw, bool has_preview);

  /// Adds a lease to a frame; null when the ring has moved past it.
  const Frame *lease(uint64_t id);

  /// Ends a lease.
  void end_lease(uint64_t id);

  /// Releases all buffers; leased ones live on with their leases.
  void clear();

 private:
  std::vector<Frame>::iterator find(uint64_t id);

  std::vector<std::shared_ptr<FrameMemory>> free_;
  std::vector<Frame> frames_;
};

}  // namespace platen
