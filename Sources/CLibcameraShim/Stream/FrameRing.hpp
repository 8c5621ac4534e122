// Which buffer is free, which holds a finished frame, and which of these are leased.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../Memory/FrameMemory.hpp"
#include "platen_camera.h"

namespace platen {

/// The buffers that are not with the driver: a value without locks, threads or libcamera.
///
/// A finished frame stays until its buffer is needed, oldest first. A leased frame stays as long as
/// it is leased, and is an ordinary frame of the ring again afterwards: a frame that the preview
/// has read can still be the one that a press wants.
class FrameRing {
 public:
  struct Frame {
    platen_camera_frame_info info;
    uint32_t byte_count;
    std::shared_ptr<FrameMemory> memory;
    uint32_t leases;
  };

  explicit FrameRing(std::vector<std::shared_ptr<FrameMemory>> buffers);

  /// A buffer to be filled: a free one, else the oldest frame's that is not leased.
  ///
  /// The last frame that is not leased stays, so that there is always one to lease, unless
  /// `even_the_last`; null when nothing is left.
  std::shared_ptr<FrameMemory> take(bool even_the_last);

  /// Puts a buffer back without a frame in it.
  void put_back(std::shared_ptr<FrameMemory> memory);

  /// Keeps a finished frame, newer than all others.
  void hold(const platen_camera_frame_info &info, uint32_t byte_count,
            std::shared_ptr<FrameMemory> memory);

  /// Leases a frame once more; null when the ring has moved past it.
  const Frame *lease(uint64_t id);

  /// Ends one lease.
  void end_lease(uint64_t id);

  /// Gives all buffers up; leased ones live on with their leases.
  void clear();

 private:
  std::vector<Frame>::iterator find(uint64_t id);

  std::vector<std::shared_ptr<FrameMemory>> free_;
  std::vector<Frame> frames_;
};

}  // namespace platen
