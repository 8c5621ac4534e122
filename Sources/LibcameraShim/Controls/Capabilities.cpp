#include "Capabilities.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "../Entry/Failure.hpp"
#include "ControlValues.hpp"
#include "FieldOfView.hpp"
#include "ListedControls.hpp"

namespace platen {
namespace {

using libcamera::ControlTypeBool;
using libcamera::ControlTypeFloat;
using libcamera::ControlTypeInteger32;
using namespace control_values;

std::string quoted(double value) {
  char text[32] = {};
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

void require_within(const char *name, double value, const platen_camera_range &range,
                    double scale = 1, const char *unit = "") {
  if (!std::isfinite(value) || value <= 0)
    throw Failure{-ENOTSUP, std::string(name) + " of " + quoted(value / scale) + unit + " is none"};
  if (range.maximum >= range.minimum && (value < range.minimum || value > range.maximum))
    throw Failure{-ENOTSUP, std::string(name) + " of " + quoted(value / scale) + unit +
                                " is not within " + quoted(range.minimum / scale) + "..." +
                                quoted(range.maximum / scale) + unit};
}

void require_image(const platen_camera_image_control &control, const platen_camera_range &range) {
  const std::string start = "\"" + std::string(control.word) + "\" of " + quoted(control.value);
  if (!std::isfinite(control.value))
    throw Failure{-ENOTSUP, start + " is none"};
  // libcamera's numbers are of single precision.
  const auto value = static_cast<float>(control.value);
  if (range.maximum >= range.minimum && (value < static_cast<float>(range.minimum) ||
                                         value > static_cast<float>(range.maximum)))
    throw Failure{-ENOTSUP, start + " is not within " + quoted(range.minimum) + "..." +
                                quoted(range.maximum)};
}

/// Returns a camera's control that is one real number; none when the camera lacks it.
const platen_camera_real_control *find(const platen_camera_capabilities &has, std::string_view name) {
  const auto *end = has.real + has.real_count;
  const auto *found = std::find_if(has.real, end, [&](const auto &real) { return real.name == name; });
  return found == end ? nullptr : found;
}

}  // namespace

libcamera::Span<const platen_camera_image_control> image_of(const platen_camera_controls &wanted) {
  return {wanted.image, std::min<size_t>(wanted.image_count, PLATEN_CAMERA_IMAGE_CONTROLS_MAX)};
}

platen_camera_capabilities capabilities_of(
    const CameraFacts &camera, const libcamera::Size &stream) {
  const ListedControls listed(camera.controls);
  platen_camera_capabilities has = {};
  auto can = [&](uint32_t bit, bool is_there) { has.can |= is_there ? bit : 0; };
  auto offers = [&](const char *name, int32_t value) {
    return listed.offers(name, ControlTypeInteger32, value);
  };
  const bool has_modes = listed.has("ExposureTimeMode", ControlTypeInteger32);
  const bool has_gain_mode = listed.has("AnalogueGainMode", ControlTypeInteger32);
  auto can_expose = [&](int32_t mode) {
    if (!has_modes)
      return listed.offers("AeEnable", ControlTypeBool, mode == mode_auto);
    return offers("ExposureTimeMode", mode) && (!has_gain_mode || offers("AnalogueGainMode", mode));
  };
  const bool has_automatic = has_modes || listed.has("AeEnable", ControlTypeBool);
  can(PLATEN_CAMERA_CAN_EXPOSURE_AUTO, can_expose(mode_auto));
  can(PLATEN_CAMERA_CAN_EXPOSURE_LOCKED, can_expose(mode_manual));
  can(PLATEN_CAMERA_CAN_EXPOSURE_CUSTOM,
      listed.has("ExposureTime", ControlTypeInteger32) &&
          listed.has("AnalogueGain", ControlTypeFloat) &&
          (!has_automatic || can_expose(mode_manual)));
  can(PLATEN_CAMERA_CAN_WHITE_BALANCE_AUTO, listed.offers("AwbEnable", ControlTypeBool, true));
  can(PLATEN_CAMERA_CAN_WHITE_BALANCE_LOCKED, listed.offers("AwbEnable", ControlTypeBool, false));
  can(PLATEN_CAMERA_CAN_WHITE_BALANCE_CUSTOM, listed.has("ColourGains", ControlTypeFloat));
  const bool has_lens = listed.has("LensPosition", ControlTypeFloat);
  const bool has_focus = listed.has("AfMode", ControlTypeInteger32);
  const bool can_hold = has_focus ? offers("AfMode", af_manual) : has_lens;
  can(PLATEN_CAMERA_CAN_FOCUS_CONTINUOUS, offers("AfMode", af_continuous));
  can(PLATEN_CAMERA_CAN_FOCUS_AUTO,
      offers("AfMode", af_auto) && offers("AfTrigger", af_trigger_start));
  can(PLATEN_CAMERA_CAN_FOCUS_LOCKED, can_hold);
  can(PLATEN_CAMERA_CAN_LENS_POSITION, can_hold && has_lens);
  can(PLATEN_CAMERA_CAN_AVOID_FLICKER,
      offers("AeFlickerMode", flicker_manual) &&
          listed.has("AeFlickerPeriod", ControlTypeInteger32));
  can(PLATEN_CAMERA_CAN_NOISE_REDUCTION_MINIMAL,
      offers("NoiseReductionMode", noise_minimal) || offers("NoiseReductionMode", noise_off));
  can(PLATEN_CAMERA_CAN_NOISE_REDUCTION_FAST, offers("NoiseReductionMode", noise_fast));
  can(PLATEN_CAMERA_CAN_NOISE_REDUCTION_HIGH_QUALITY,
      offers("NoiseReductionMode", noise_high_quality));
  const auto field = FieldOfView::of(camera, stream);
  has.zoom_maximum = field ? field->zoom_maximum() : 1;
  can(PLATEN_CAMERA_CAN_ZOOM, has.zoom_maximum > 1);

  auto scaled = [](platen_camera_range range, double scale) {
    return platen_camera_range{range.minimum * scale, range.maximum * scale};
  };
  has.exposure_ns = scaled(listed.range("ExposureTime", ControlTypeInteger32), 1000);
  has.gain = listed.range("AnalogueGain", ControlTypeFloat);
  has.white_balance_gain = listed.range("ColourGains", ControlTypeFloat);
  has.lens_position = listed.range("LensPosition", ControlTypeFloat);
  has.frame_duration_ns =
      scaled(listed.range("FrameDurationLimits", libcamera::ControlTypeInteger64), 1000);
  for (const std::string &name : listed.reals()) {
    // Names that are longer than any known one are not offered.
    if (name.size() >= PLATEN_CAMERA_CONTROL_NAME_MAX ||
        has.real_count == PLATEN_CAMERA_REAL_CONTROLS_MAX)
      continue;
    auto &real = has.real[has.real_count++];
    std::copy(name.begin(), name.end(), real.name);
    real.range = listed.range(name, ControlTypeFloat);
  }
  return has;
}

void require_modes(const platen_camera_capabilities &has, const platen_camera_controls &wanted) {
  auto refuse_unknown = [](uint32_t value, uint32_t most, const char *what) {
    if (value > most)
      throw Failure{-EINVAL, std::string("there is no such ") + what};
  };
  refuse_unknown(wanted.exposure_mode, PLATEN_CAMERA_EXPOSURE_CUSTOM, "exposure mode");
  refuse_unknown(wanted.white_balance_mode, PLATEN_CAMERA_WHITE_BALANCE_CUSTOM,
                 "white-balance mode");
  refuse_unknown(wanted.focus_mode, PLATEN_CAMERA_FOCUS_LOCKED, "focus mode");
  refuse_unknown(wanted.noise_reduction, PLATEN_CAMERA_NOISE_REDUCTION_HIGH_QUALITY,
                 "noise reduction");
  if (wanted.flicker_hz != 0 && wanted.flicker_hz != 50 && wanted.flicker_hz != 60)
    throw Failure{-EINVAL, "there is no such flicker avoidance"};
  const bool places_lens =
      wanted.focus_mode == PLATEN_CAMERA_FOCUS_LOCKED && wanted.has_lens_position;
  const bool zooms = wanted.zoom != 0 && wanted.zoom != 1;
  const struct { uint32_t value, when, bit; const char *what; } needs[] = {
    {wanted.exposure_mode, PLATEN_CAMERA_EXPOSURE_AUTO, PLATEN_CAMERA_CAN_EXPOSURE_AUTO,
     "exposure mode \"continuousAutoExposure\""},
    {wanted.exposure_mode, PLATEN_CAMERA_EXPOSURE_LOCKED, PLATEN_CAMERA_CAN_EXPOSURE_LOCKED,
     "exposure mode \"locked\""},
    {wanted.exposure_mode, PLATEN_CAMERA_EXPOSURE_CUSTOM, PLATEN_CAMERA_CAN_EXPOSURE_CUSTOM,
     "exposure mode \"custom\""},
    {wanted.white_balance_mode, PLATEN_CAMERA_WHITE_BALANCE_AUTO, PLATEN_CAMERA_CAN_WHITE_BALANCE_AUTO,
     "white-balance mode \"continuousAutoWhiteBalance\""},
    {wanted.white_balance_mode, PLATEN_CAMERA_WHITE_BALANCE_LOCKED, PLATEN_CAMERA_CAN_WHITE_BALANCE_LOCKED,
     "white-balance mode \"locked\""},
    {wanted.white_balance_mode, PLATEN_CAMERA_WHITE_BALANCE_CUSTOM, PLATEN_CAMERA_CAN_WHITE_BALANCE_CUSTOM,
     "white-balance mode \"custom\""},
    {wanted.focus_mode, PLATEN_CAMERA_FOCUS_CONTINUOUS, PLATEN_CAMERA_CAN_FOCUS_CONTINUOUS,
     "focus mode \"continuousAutoFocus\""},
    {wanted.focus_mode, PLATEN_CAMERA_FOCUS_AUTO, PLATEN_CAMERA_CAN_FOCUS_AUTO,
     "focus mode \"autoFocus\""},
    {wanted.focus_mode, PLATEN_CAMERA_FOCUS_LOCKED, PLATEN_CAMERA_CAN_FOCUS_LOCKED,
     "focus mode \"locked\""},
    {places_lens, true, PLATEN_CAMERA_CAN_LENS_POSITION,
     "control of the lens position"},
    {zooms, true, PLATEN_CAMERA_CAN_ZOOM,
     "video zoom"},
    {wanted.flicker_hz, 50, PLATEN_CAMERA_CAN_AVOID_FLICKER,
     "flicker avoidance \"50\""},
    {wanted.flicker_hz, 60, PLATEN_CAMERA_CAN_AVOID_FLICKER,
     "flicker avoidance \"60\""},
    {wanted.noise_reduction, PLATEN_CAMERA_NOISE_REDUCTION_MINIMAL, PLATEN_CAMERA_CAN_NOISE_REDUCTION_MINIMAL,
     "noise reduction \"minimal\""},
    {wanted.noise_reduction, PLATEN_CAMERA_NOISE_REDUCTION_FAST, PLATEN_CAMERA_CAN_NOISE_REDUCTION_FAST,
     "noise reduction \"fast\""},
    {wanted.noise_reduction, PLATEN_CAMERA_NOISE_REDUCTION_HIGH_QUALITY, PLATEN_CAMERA_CAN_NOISE_REDUCTION_HIGH_QUALITY,
     "noise reduction \"highQuality\""},
  };
  for (const auto &need : needs)
    if (need.value == need.when && !(has.can & need.bit))
      throw Failure{-ENOTSUP, std::string("it has no ") + need.what};
  for (const auto &control : image_of(wanted))
    if (control.is_set && !find(has, control.name))
      throw Failure{-ENOTSUP, std::string("it has no image control \"") + control.word + "\""};
}

void require_limits(const platen_camera_capabilities &has, const platen_camera_controls &wanted) {
  if (wanted.exposure_mode == PLATEN_CAMERA_EXPOSURE_CUSTOM) {
    require_within("an exposure duration", static_cast<double>(wanted.exposure_ns),
                   has.exposure_ns, 1e9, " s");
    require_within("a gain", wanted.gain, has.gain);
  }
  if (wanted.white_balance_mode == PLATEN_CAMERA_WHITE_BALANCE_CUSTOM) {
    require_within("a white-balance gain", wanted.red_gain, has.white_balance_gain);
    require_within("a white-balance gain", wanted.blue_gain, has.white_balance_gain);
  }
  // Infinity is 0 diopters, so 0 is a position.
  if (wanted.focus_mode == PLATEN_CAMERA_FOCUS_LOCKED && wanted.has_lens_position &&
      !(wanted.lens_position == 0 && has.lens_position.minimum <= 0))
    require_within("a lens position", wanted.lens_position, has.lens_position);
  if (wanted.zoom != 0 && wanted.zoom != 1)
    require_within("a video zoom factor", wanted.zoom, {1, has.zoom_maximum});
  for (const auto &control : image_of(wanted))
    if (const auto *real = find(has, control.name); real && control.is_set)
      require_image(control, real->range);
}

}  // namespace platen
