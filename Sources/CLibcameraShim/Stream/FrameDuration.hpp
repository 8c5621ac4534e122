// The time between frames: what a camera's mode allows.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/control_ids.h>
#include <libcamera/controls.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace platen {

/// The control FrameDurationLimits of a camera, in nanoseconds.
struct FrameDurationRange {
  int64_t minimum_ns;
  int64_t maximum_ns;

  /// What sensors need of a frame besides the exposure, at most.
  static constexpr int64_t margin_ns = 1'000'000;

  /// What the mode configured last allows; nothing when the camera does not list the control.
  static std::optional<FrameDurationRange> of(const libcamera::Camera &camera) {
    const auto found = camera.controls().find(&libcamera::controls::FrameDurationLimits);
    if (found == camera.controls().end())
      return std::nullopt;
    const libcamera::ControlValue &minimum = found->second.min();
    const libcamera::ControlValue &maximum = found->second.max();
    if (minimum.type() != libcamera::ControlTypeInteger64 || minimum.isArray() ||
        maximum.type() != libcamera::ControlTypeInteger64 || maximum.isArray())
      return std::nullopt;
    return FrameDurationRange{minimum.get<int64_t>() * 1000, maximum.get<int64_t>() * 1000};
  }

  /// The closest duration that can be had.
  int64_t clamped(int64_t duration_ns) const {
    return std::max(minimum_ns, std::min(duration_ns, maximum_ns));
  }

  /// What a duration comes to: a fixed exposure that is longer makes frames longer.
  int64_t applied(int64_t duration_ns, int64_t exposure_ns) const {
    const int64_t needed = exposure_ns ? clamped(exposure_ns + margin_ns) : 0;
    return std::max(clamped(duration_ns), needed);
  }

  /// Fixes the duration in a list of controls, or with 0 gives it free.
  ///
  /// libcamera would cut a fixed exposure short that does not fit.
  void set(libcamera::ControlList &controls, int64_t duration_ns, int64_t exposure_ns = 0) const {
    const int64_t shortest = duration_ns ? clamped(duration_ns) : minimum_ns;
    const int64_t longest = duration_ns ? applied(duration_ns, exposure_ns) : maximum_ns;
    const int64_t limits[2] = {shortest / 1000, longest / 1000};
    controls.set(libcamera::controls::FrameDurationLimits,
                 libcamera::Span<const int64_t, 2>(limits));
  }
};

}  // namespace platen
