#include "FrameMetadata.hpp"

#include <libcamera/control_ids.h>
#include <time.h>

namespace platen {
namespace {

int64_t read_clock(clockid_t clock) {
  struct timespec time = {};
  ::clock_gettime(clock, &time);
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

bool is_plausible(int64_t age_ns) {
  // A driver that derives its clock from the device's may be slightly ahead.
  return age_ns > -50'000'000 && age_ns < 5'000'000'000;
}

}  // namespace

int64_t monotonic_now() { return read_clock(CLOCK_MONOTONIC); }

Stamp judge_timestamp(int64_t timestamp_ns, int64_t monotonic_ns, int64_t boottime_ns) {
  if (timestamp_ns > 0 && is_plausible(monotonic_ns - timestamp_ns))
    return {timestamp_ns, PLATEN_CAMERA_CLOCK_MONOTONIC};
  if (timestamp_ns > 0 && is_plausible(boottime_ns - timestamp_ns))
    return {timestamp_ns - (boottime_ns - monotonic_ns), PLATEN_CAMERA_CLOCK_BOOTTIME};
  return {monotonic_ns, PLATEN_CAMERA_CLOCK_UNKNOWN};
}

platen_camera_frame_info describe_frame(
    const libcamera::ControlList &metadata, const libcamera::FrameMetadata &buffer) {
  namespace controls = libcamera::controls;
  platen_camera_frame_info info = {};
  info.sequence = buffer.sequence;
  const int64_t timestamp = metadata.get(controls::SensorTimestamp)
                                .value_or(static_cast<int64_t>(buffer.timestamp));
  const Stamp stamp =
      judge_timestamp(timestamp, read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_BOOTTIME));
  info.timestamp_ns = stamp.monotonic_ns;
  info.clock = stamp.clock;
  if (const auto exposure = metadata.get(controls::ExposureTime)) {
    info.exposure_ns = static_cast<int64_t>(*exposure) * 1000;
    info.present |= PLATEN_CAMERA_HAS_EXPOSURE;
  }
  if (const auto duration = metadata.get(controls::FrameDuration)) {
    info.frame_duration_ns = *duration * 1000;
    info.present |= PLATEN_CAMERA_HAS_FRAME_DURATION;
  }
  if (const auto gain = metadata.get(controls::AnalogueGain)) {
    info.analogue_gain = static_cast<double>(*gain);
    info.present |= PLATEN_CAMERA_HAS_ANALOGUE_GAIN;
  }
  if (const auto gain = metadata.get(controls::DigitalGain)) {
    info.digital_gain = static_cast<double>(*gain);
    info.present |= PLATEN_CAMERA_HAS_DIGITAL_GAIN;
  }
  if (const auto position = metadata.get(controls::LensPosition)) {
    info.lens_position = static_cast<double>(*position);
    info.present |= PLATEN_CAMERA_HAS_LENS_POSITION;
  }
  return info;
}

uint32_t bytes_used(const libcamera::FrameMetadata &buffer) {
  uint32_t sum = 0;
  for (const auto &plane : buffer.planes())
    sum += plane.bytesused;
  return sum;
}

}  // namespace platen
