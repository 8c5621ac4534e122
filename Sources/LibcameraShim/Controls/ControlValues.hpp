// The numbers of libcamera's control values, the same in all versions that have the control.
#pragma once

#include <cstdint>

namespace platen::control_values {

constexpr int32_t mode_auto = 0, mode_manual = 1;  // ExposureTimeMode, AnalogueGainMode
constexpr int32_t af_manual = 0, af_auto = 1, af_continuous = 2;
constexpr int32_t af_trigger_start = 0;
constexpr int32_t flicker_off = 0, flicker_manual = 1;
constexpr int32_t noise_off = 0, noise_fast = 1, noise_high_quality = 2, noise_minimal = 3;

}  // namespace platen::control_values
