// The controls that are words.
#pragma once

#include <libcamera/base/span.h>

#include <string_view>

#include "ListedControls.hpp"
#include "Planner.hpp"
#include "platen_camera_controls.h"

namespace platen {

/// A number of a word, which the camera has when it lists the control.
struct Number {
  const char *control = nullptr;  // libcamera's
  libcamera::ControlType type = libcamera::ControlTypeNone;
  const char *article = "";  // of the noun in a refusal
  const char *noun = "";
  double scale = 1;  // the number of libcamera's 1
  double unit = 1;   // the number of a unit in a refusal
  const char *unit_name = "";
  bool can_be_zero = false;
};

/// A word of a control: what a camera has to list for it, and what is then set.
struct Choice {
  std::string_view control;  // as a refusal names it
  std::string_view word;
  bool is_usual;  // planned when no word of the control is wanted
  bool (*is_offered)(const ListedControls &listed);
  void (*plan)(Planner &planner, const platen_camera_choice &wanted);
  Number numbers[PLATEN_CAMERA_NUMBERS_MAX] = {};
};

/// Returns the words of all controls.
libcamera::Span<const Choice> all_choices();

/// Returns the wanted words.
libcamera::Span<const platen_camera_choice> choices_of(const platen_camera_controls &wanted);

/// Returns the wanted word of a control; none when the control is left to the camera.
const platen_camera_choice *choice_of(
    const platen_camera_controls &wanted, std::string_view control);

/// Returns the wanted fixed exposure in nanoseconds; 0 when there is none.
int64_t exposure_of(const platen_camera_controls &wanted);

}  // namespace platen
