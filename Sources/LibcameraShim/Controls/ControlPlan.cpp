#include "ControlPlan.hpp"

#include <algorithm>

#include "Capabilities.hpp"
#include "ControlValues.hpp"

namespace platen {
namespace {

using libcamera::ControlTypeBool;
using libcamera::ControlTypeFloat;
using libcamera::ControlTypeInteger32;
using libcamera::ControlTypeRectangle;
using libcamera::ControlValue;
using namespace control_values;

/// Collects the listed controls into the steps of a plan.
class Planner {
 public:
  explicit Planner(const CameraFacts &camera) : listed_(camera.controls) {}

  void exposure(const platen_camera_controls &wanted) {
    const bool is_automatic = wanted.exposure_mode == PLATEN_CAMERA_EXPOSURE_OWN ||
                              wanted.exposure_mode == PLATEN_CAMERA_EXPOSURE_AUTO;
    const bool is_custom = wanted.exposure_mode == PLATEN_CAMERA_EXPOSURE_CUSTOM;
    if (listed_.has("ExposureTimeMode", ControlTypeInteger32)) {
      has_modes_ = true;
      const int32_t mode = is_automatic ? mode_auto : mode_manual;
      number(modes_, "ExposureTimeMode", mode);
      number(modes_, "AnalogueGainMode", mode);
    } else if (!is_custom || listed_.has("AeEnable", ControlTypeBool)) {
      boolean("AeEnable", is_automatic, is_custom);
    }
    if (is_custom) {
      number(values_, "ExposureTime", static_cast<int32_t>(wanted.exposure_ns / 1000));
      real("AnalogueGain", wanted.gain);
    }
  }

  void white_balance(const platen_camera_controls &wanted) {
    const bool is_automatic = wanted.white_balance_mode == PLATEN_CAMERA_WHITE_BALANCE_OWN ||
                              wanted.white_balance_mode == PLATEN_CAMERA_WHITE_BALANCE_AUTO;
    const bool is_custom = wanted.white_balance_mode == PLATEN_CAMERA_WHITE_BALANCE_CUSTOM;
    boolean("AwbEnable", is_automatic, is_custom);
    if (!is_custom)
      return;
    if (const auto id = listed_.id("ColourGains", ControlTypeFloat)) {
      const float gains[2] = {static_cast<float>(wanted.red_gain),
                              static_cast<float>(wanted.blue_gain)};
      values_.emplace_back(*id, ControlValue(libcamera::Span<const float, 2>(gains)));
    }
  }

  void focus(const platen_camera_controls &wanted) {
    switch (wanted.focus_mode) {
      case PLATEN_CAMERA_FOCUS_OWN:
      case PLATEN_CAMERA_FOCUS_CONTINUOUS:
        number(modes_, "AfMode", af_continuous);
        break;
      case PLATEN_CAMERA_FOCUS_AUTO:
        number(modes_, "AfMode", af_auto);
        number(triggers_, "AfTrigger", af_trigger_start);
        break;
      default:
        number(modes_, "AfMode", af_manual);
        if (wanted.has_lens_position)
          real("LensPosition", wanted.lens_position);
    }
  }

  void zoom(const platen_camera_controls &wanted, const std::optional<FieldOfView> &field) {
    const auto id = listed_.id("ScalerCrop", ControlTypeRectangle);
    if (!id || !field)
      return;
    const ControlValue crop(field->cropped(std::max(1.0, wanted.zoom)));
    // A camera starts with the whole field already.
    (wanted.zoom > 1 ? values_ : triggers_).emplace_back(*id, crop);
  }

  void flicker(const platen_camera_controls &wanted) {
    number(modes_, "AeFlickerMode", wanted.flicker_hz ? flicker_manual : flicker_off);
    // Lamps flicker at twice the mains frequency.
    if (wanted.flicker_hz)
      number(values_, "AeFlickerPeriod",
             static_cast<int32_t>(1'000'000 / (2 * wanted.flicker_hz)));
  }

  void noise(const platen_camera_controls &wanted) {
    static constexpr struct { uint32_t wanted; int32_t mode, instead; } modes[] = {
      {PLATEN_CAMERA_NOISE_REDUCTION_MINIMAL, noise_minimal, noise_off},
      {PLATEN_CAMERA_NOISE_REDUCTION_FAST, noise_fast, noise_fast},
      {PLATEN_CAMERA_NOISE_REDUCTION_HIGH_QUALITY, noise_high_quality, noise_high_quality},
    };
    const char *name = "NoiseReductionMode";
    for (const auto &[reduction, mode, instead] : modes)
      if (wanted.noise_reduction == reduction)
        number(values_, name,
               listed_.offers(name, ControlTypeInteger32, mode) ? mode : instead);
  }

  /// Writes the default of each control that is not set, because libcamera keeps a control's value.
  void image(const platen_camera_controls &wanted) {
    for (const auto &control : image_of(wanted)) {
      if (control.is_set)
        real(control.name, control.value);
      else if (const auto standard = listed_.standard(control.name))
        real(control.name, *standard);
    }
  }

  void fill(ControlPlan &plan) const {
    plan.start = modes_;
    plan.start.insert(plan.start.end(), values_.begin(), values_.end());
    ControlValues first = modes_;
    first.insert(first.end(), freezing_.begin(), freezing_.end());
    ControlValues then = values_;
    then.insert(then.end(), triggers_.begin(), triggers_.end());
    // Since 0.5 modes are applied before values, so one frame suffices for both.
    if (has_modes_ && freezing_.empty() && triggers_.empty()) {
      first.insert(first.end(), then.begin(), then.end());
      then.clear();
    }
    if (!first.empty())
      plan.requests.push_back(std::move(first));
    if (!then.empty())
      plan.requests.push_back(std::move(then));
  }

 private:
  void number(ControlValues &step, const char *name, int32_t value) {
    if (listed_.offers(name, ControlTypeInteger32, value))
      step.emplace_back(*listed_.id(name, ControlTypeInteger32), ControlValue(value));
  }

  /// Switches an automatic; with the automatic's values, it must not be part of the start.
  void boolean(const char *name, bool value, bool has_values) {
    if (listed_.offers(name, ControlTypeBool, value))
      (has_values ? freezing_ : modes_)
          .emplace_back(*listed_.id(name, ControlTypeBool), ControlValue(value));
  }

  void real(const char *name, double value) {
    if (const auto id = listed_.id(name, ControlTypeFloat))
      values_.emplace_back(*id, ControlValue(static_cast<float>(value)));
  }

  const ListedControls listed_;
  bool has_modes_ = false;
  ControlValues modes_;     // at the start and with the first request
  ControlValues freezing_;  // with the first request
  ControlValues values_;    // at the start and with the second request
  ControlValues triggers_;  // with the second request
};

}  // namespace

ControlPlan::ControlPlan(const CameraFacts &camera, const platen_camera_controls &wanted,
                         const libcamera::Size &stream) {
  const auto has = capabilities_of(camera, stream);
  require_modes(has, wanted);
  require_limits(has, wanted);
  Planner planner(camera);
  planner.exposure(wanted);
  planner.white_balance(wanted);
  planner.focus(wanted);
  planner.zoom(wanted, FieldOfView::of(camera, stream));
  planner.flicker(wanted);
  planner.noise(wanted);
  planner.image(wanted);
  planner.fill(*this);
}

}  // namespace platen
