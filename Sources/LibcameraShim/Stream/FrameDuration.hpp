// The time between frames that a camera's mode allows.
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

  /// The maximum time of a frame that sensors need besides the exposure.
  static constexpr int64_t margin_ns = 1'000'000;

  /// Returns the range of the mode configured last; nothing when the control is not listed.
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

  /// Returns the closest possible duration.
  int64_t clamped(int64_t duration_ns) const {
    return std::max(minimum_ns, std::min(duration_ns, maximum_ns));
  }

  /// Returns the resulting duration: a longer fixed exposure makes frames longer.
  int64_t applied(int64_t duration_ns, int64_t exposure_ns) const {
    const int64_t needed = exposure_ns ? clamped(exposure_ns + margin_ns) : 0;
    return std::max(clamped(duration_ns), needed);
  }

  /// Fixes the duration in a list of controls, or with 0 leaves it to the camera.
  ///
  /// libcamera would shorten a fixed exposure that does not fit.
  void set(libcamera::ControlList &controls, int64_t duration_ns, int64_t exposure_ns = 0) const {
    const int64_t shortest = duration_ns ? clamped(duration_ns) : minimum_ns;
    const int64_t longest = duration_ns ? applied(duration_ns, exposure_ns) : maximum_ns;
    const int64_t limits[2] = {shortest / 1000, longest / 1000};
    controls.set(libcamera::controls::FrameDurationLimits,
                 libcamera::Span<const int64_t, 2>(limits));
  }
};

}  // namespace platen
