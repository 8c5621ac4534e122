// The collection of a camera's controls into the steps of a plan.
#pragma once

#include <algorithm>

#include "ControlPlan.hpp"

namespace platen {

/// Collects controls into the steps of a plan; skips those that the camera does not list.
class Planner {
 public:
  /// Plans for a camera that shows a part of its sensor; an empty part is unknown.
  Planner(const CameraFacts &camera, const libcamera::Rectangle &shown)
      : listed_(camera.controls), shown_(shown) {}

  const ListedControls &listed() const { return listed_; }

  /// Adds a mode, for the start and the first request.
  void mode(const char *name, int32_t value) { number(modes_, name, value); }

  /// Adds a value, for the start and the second request.
  void value(const char *name, int32_t value) { number(values_, name, value); }

  /// Adds a trigger, for the second request.
  void trigger(const char *name, int32_t value) { number(triggers_, name, value); }

  /// Switches an automatic; with the automatic's values, it must not be part of the start.
  void automatic(const char *name, bool is_on, bool has_values) {
    if (listed_.offers(name, libcamera::ControlTypeBool, is_on))
      (has_values ? freezing_ : modes_)
          .emplace_back(*listed_.id(name, libcamera::ControlTypeBool),
                        libcamera::ControlValue(is_on));
  }

  /// Adds a value that is a real number.
  void real(const char *name, double value) {
    if (const auto id = listed_.id(name, libcamera::ControlTypeFloat))
      values_.emplace_back(*id, libcamera::ControlValue(static_cast<float>(value)));
  }

  /// Adds a value that is two real numbers.
  void reals(const char *name, double first, double second) {
    const float pair[2] = {static_cast<float>(first), static_cast<float>(second)};
    if (const auto id = listed_.id(name, libcamera::ControlTypeFloat))
      values_.emplace_back(*id, libcamera::ControlValue(libcamera::Span<const float, 2>(pair)));
  }

  /// Adds a part of the sensor; the whole field is not part of the start, which has it already.
  void crop(const libcamera::Rectangle &part, bool is_whole) {
    if (const auto id = listed_.id("ScalerCrop", libcamera::ControlTypeRectangle))
      (is_whole ? triggers_ : values_).emplace_back(*id, libcamera::ControlValue(part));
  }

  /// Adds a square part of the sensor as a mode, around a place in parts of what is shown.
  ///
  /// AfWindows are in the pixels of ScalerCropMaximum and do not follow ScalerCrop
  /// (control_ids_core.yaml). The side is a fifth of the shorter one of what is shown.
  void window(const char *name, double x, double y) {
    const auto id = listed_.id(name, libcamera::ControlTypeRectangle);
    if (!id || shown_.isNull())
      return;
    const int side = std::max(1, static_cast<int>(std::min(shown_.width, shown_.height) / 5));
    auto start = [side](int first, unsigned int length, double part) {
      const int middle = static_cast<int>(part * length);
      return first + std::clamp(middle - side / 2, 0, static_cast<int>(length) - side);
    };
    const libcamera::Rectangle part(start(shown_.x, shown_.width, x),
                                    start(shown_.y, shown_.height, y), side, side);
    modes_.emplace_back(
        *id, libcamera::ControlValue(libcamera::Span<const libcamera::Rectangle>(&part, 1)));
  }

  /// Writes the steps.
  void fill(ControlPlan &plan) const {
    plan.start = modes_;
    plan.start.insert(plan.start.end(), values_.begin(), values_.end());
    ControlValues first = modes_;
    first.insert(first.end(), freezing_.begin(), freezing_.end());
    ControlValues then = values_;
    then.insert(then.end(), triggers_.begin(), triggers_.end());
    // Since 0.5 modes are applied before values, so one frame suffices for both.
    const bool has_modes = listed_.has("ExposureTimeMode", libcamera::ControlTypeInteger32);
    if (has_modes && freezing_.empty() && triggers_.empty()) {
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
    if (listed_.offers(name, libcamera::ControlTypeInteger32, value))
      step.emplace_back(*listed_.id(name, libcamera::ControlTypeInteger32),
                        libcamera::ControlValue(value));
  }

  const ListedControls listed_;
  const libcamera::Rectangle shown_;
  ControlValues modes_;     // at the start and with the first request
  ControlValues freezing_;  // with the first request
  ControlValues values_;    // at the start and with the second request
  ControlValues triggers_;  // with the second request
};

}  // namespace platen
