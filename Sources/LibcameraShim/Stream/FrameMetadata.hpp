// libcamera's description of a finished frame, as plain values.
#pragma once

#include <libcamera/controls.h>
#include <libcamera/framebuffer.h>

#include <cstdint>

#include "platen_camera.h"

namespace platen {

/// Returns CLOCK_MONOTONIC in nanoseconds.
int64_t monotonic_now();

/// A driver's timestamp on CLOCK_MONOTONIC, and the clock it was probably taken on.
struct Stamp {
  int64_t monotonic_ns;
  platen_camera_clock clock;
};

/// Returns a driver's timestamp, converted according to the clocks when the frame has finished.
///
/// libcamera documents CLOCK_BOOTTIME, but the drivers use CLOCK_MONOTONIC; the two differ by the
/// time spent suspended. A timestamp that neither clock could have shown in the last five seconds
/// is replaced by the present time.
Stamp judge_timestamp(int64_t timestamp_ns, int64_t monotonic_ns, int64_t boottime_ns);

/// Returns the description of a frame, with `id` 0.
platen_camera_frame_info describe_frame(
    const libcamera::ControlList &metadata, const libcamera::FrameMetadata &buffer);

/// Returns the number of bytes of a frame in use, over all planes.
uint32_t bytes_used(const libcamera::FrameMetadata &buffer);

}  // namespace platen
