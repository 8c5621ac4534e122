#include "Choices.hpp"

#include <algorithm>
#include <iterator>

namespace platen {
namespace {

using libcamera::ControlTypeBool;
using libcamera::ControlTypeFloat;
using libcamera::ControlTypeInteger32;
using libcamera::ControlTypeRectangle;
using Listed = const ListedControls &;
using Wanted = const platen_camera_choice &;

// The numbers of libcamera's control values, the same in all versions that have the control.
constexpr int32_t mode_auto = 0, mode_manual = 1;  // ExposureTimeMode, AnalogueGainMode
constexpr int32_t af_manual = 0, af_auto = 1, af_continuous = 2;
constexpr int32_t af_metering_auto = 0, af_metering_windows = 1;
constexpr int32_t af_trigger_start = 0;
constexpr int32_t flicker_off = 0, flicker_manual = 1;
constexpr int32_t noise_off = 0, noise_fast = 1, noise_high_quality = 2, noise_minimal = 3;

bool offers(Listed listed, const char *name, int32_t value) {
  return listed.offers(name, ControlTypeInteger32, value);
}

bool has_modes(Listed listed) { return listed.has("ExposureTimeMode", ControlTypeInteger32); }

bool can_expose(Listed listed, int32_t mode) {
  if (!has_modes(listed))
    return listed.offers("AeEnable", ControlTypeBool, mode == mode_auto);
  return offers(listed, "ExposureTimeMode", mode) &&
         (!listed.has("AnalogueGainMode", ControlTypeInteger32) ||
          offers(listed, "AnalogueGainMode", mode));
}

bool can_fix_exposure(Listed listed) {
  const bool has_automatic = has_modes(listed) || listed.has("AeEnable", ControlTypeBool);
  return listed.has("ExposureTime", ControlTypeInteger32) &&
         listed.has("AnalogueGain", ControlTypeFloat) &&
         (!has_automatic || can_expose(listed, mode_manual));
}

void expose(Planner &planner, int32_t mode, bool has_values = false) {
  if (has_modes(planner.listed())) {
    planner.mode("ExposureTimeMode", mode);
    planner.mode("AnalogueGainMode", mode);
  } else {
    planner.automatic("AeEnable", mode == mode_auto, has_values);
  }
}

bool can_avoid_flicker(Listed listed) {
  return offers(listed, "AeFlickerMode", flicker_manual) &&
         listed.has("AeFlickerPeriod", ControlTypeInteger32);
}

void avoid_flicker(Planner &planner, int32_t hertz) {
  planner.mode("AeFlickerMode", flicker_manual);
  // Lamps flicker at twice the mains frequency.
  planner.value("AeFlickerPeriod", 1'000'000 / (2 * hertz));
}

bool can_scan(Listed listed) {
  return offers(listed, "AfMode", af_auto) && offers(listed, "AfTrigger", af_trigger_start);
}

void scan(Planner &planner, int32_t metering) {
  planner.mode("AfMode", af_auto);
  planner.mode("AfMetering", metering);
  planner.trigger("AfTrigger", af_trigger_start);
}

int32_t least_noise_reduction(Listed listed) {
  return offers(listed, "NoiseReductionMode", noise_minimal) ? noise_minimal : noise_off;
}

const Choice table[] = {
  {"exposure mode", "continuousAutoExposure", true,
   [](Listed listed) { return can_expose(listed, mode_auto); },
   [](Planner &planner, Wanted) { expose(planner, mode_auto); }},
  {"exposure mode", "locked", false,
   [](Listed listed) { return can_expose(listed, mode_manual); },
   [](Planner &planner, Wanted) { expose(planner, mode_manual); }},
  {"exposure mode", "custom", false, can_fix_exposure,
   [](Planner &planner, Wanted wanted) {
     expose(planner, mode_manual, true);
     planner.value("ExposureTime", static_cast<int32_t>(wanted.numbers[0] / 1000));
     planner.real("AnalogueGain", wanted.numbers[1]);
   },
   {{"ExposureTime", ControlTypeInteger32, "an", "exposure duration", 1000, 1e9, " s"},
    {"AnalogueGain", ControlTypeFloat, "a", "gain"}}},
  {"white-balance mode", "continuousAutoWhiteBalance", true,
   [](Listed listed) { return listed.offers("AwbEnable", ControlTypeBool, true); },
   [](Planner &planner, Wanted) { planner.automatic("AwbEnable", true, false); }},
  {"white-balance mode", "locked", false,
   [](Listed listed) { return listed.offers("AwbEnable", ControlTypeBool, false); },
   [](Planner &planner, Wanted) { planner.automatic("AwbEnable", false, false); }},
  {"white-balance mode", "custom", false,
   [](Listed listed) { return listed.has("ColourGains", ControlTypeFloat); },
   [](Planner &planner, Wanted wanted) {
     planner.automatic("AwbEnable", false, true);
     planner.reals("ColourGains", wanted.numbers[0], wanted.numbers[1]);
   },
   {{"ColourGains", ControlTypeFloat, "a", "white-balance gain"},
    {"ColourGains", ControlTypeFloat, "a", "white-balance gain"}}},
  {"focus mode", "continuousAutoFocus", true,
   [](Listed listed) { return offers(listed, "AfMode", af_continuous); },
   [](Planner &planner, Wanted) {
     planner.mode("AfMode", af_continuous);
     planner.mode("AfMetering", af_metering_auto);
   }},
  {"focus mode", "autoFocus", false, can_scan,
   [](Planner &planner, Wanted) { scan(planner, af_metering_auto); }},
  {"focus mode", "autoFocusAtPoint", false,
   [](Listed listed) {
     return can_scan(listed) && offers(listed, "AfMetering", af_metering_windows) &&
            listed.has("AfWindows", ControlTypeRectangle) &&
            listed.has("ScalerCrop", ControlTypeRectangle);
   },
   [](Planner &planner, Wanted wanted) {
     scan(planner, af_metering_windows);
     planner.window("AfWindows", wanted.numbers[0], wanted.numbers[1]);
   },
   // The places are parts of the frame.
   {{"AfWindows", ControlTypeRectangle, "a", "focus point", 1, 1, "", true},
    {"AfWindows", ControlTypeRectangle, "a", "focus point", 1, 1, "", true}}},
  {"focus mode", "locked", false,
   [](Listed listed) {
     return listed.has("AfMode", ControlTypeInteger32)
                ? offers(listed, "AfMode", af_manual)
                : listed.has("LensPosition", ControlTypeFloat);
   },
   [](Planner &planner, Wanted wanted) {
     planner.mode("AfMode", af_manual);
     if (wanted.number_count)
       planner.real("LensPosition", wanted.numbers[0]);
   },
   // Infinity is 0 diopters, so 0 is a position.
   {{"LensPosition", ControlTypeFloat, "a", "lens position", 1, 1, "", true}}},
  {"flicker avoidance", "off", true, [](Listed) { return true; },
   [](Planner &planner, Wanted) { planner.mode("AeFlickerMode", flicker_off); }},
  {"flicker avoidance", "50", false, can_avoid_flicker,
   [](Planner &planner, Wanted) { avoid_flicker(planner, 50); }},
  {"flicker avoidance", "60", false, can_avoid_flicker,
   [](Planner &planner, Wanted) { avoid_flicker(planner, 60); }},
  {"noise reduction", "minimal", false,
   [](Listed listed) {
     return offers(listed, "NoiseReductionMode", least_noise_reduction(listed));
   },
   [](Planner &planner, Wanted) {
     planner.value("NoiseReductionMode", least_noise_reduction(planner.listed()));
   }},
  {"noise reduction", "fast", false,
   [](Listed listed) { return offers(listed, "NoiseReductionMode", noise_fast); },
   [](Planner &planner, Wanted) { planner.value("NoiseReductionMode", noise_fast); }},
  {"noise reduction", "highQuality", false,
   [](Listed listed) { return offers(listed, "NoiseReductionMode", noise_high_quality); },
   [](Planner &planner, Wanted) { planner.value("NoiseReductionMode", noise_high_quality); }},
};

static_assert(std::size(table) <= PLATEN_CAMERA_CHOICES_MAX);

}  // namespace

libcamera::Span<const Choice> all_choices() { return {table, std::size(table)}; }

libcamera::Span<const platen_camera_choice> choices_of(const platen_camera_controls &wanted) {
  return {wanted.choices, std::min<size_t>(wanted.choice_count, PLATEN_CAMERA_CHOICES_MAX)};
}

const platen_camera_choice *choice_of(
    const platen_camera_controls &wanted, std::string_view control) {
  for (const auto &choice : choices_of(wanted))
    if (choice.control == control)
      return &choice;
  return nullptr;
}

int64_t exposure_of(const platen_camera_controls &wanted) {
  const auto *choice = choice_of(wanted, "exposure mode");
  return choice && choice->number_count ? static_cast<int64_t>(choice->numbers[0]) : 0;
}

}  // namespace platen
