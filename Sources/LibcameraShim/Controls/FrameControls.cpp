#include "FrameControls.hpp"

#include <algorithm>
#include <iterator>

namespace platen {
namespace {

using libcamera::ControlList;
using libcamera::ControlValue;

/// The numbers of the metadata that are read here; 0 for names that this libcamera lacks.
struct Known {
  unsigned int exposure_time_mode = known_control("ExposureTimeMode");
  unsigned int ae_state = known_control("AeState");
  unsigned int ae_locked = known_control("AeLocked");
  unsigned int awb_locked = known_control("AwbLocked");
  unsigned int color_gains = known_control("ColourGains");
  unsigned int color_matrix = known_control("ColourCorrectionMatrix");
  unsigned int black_levels = known_control("SensorBlackLevels");
  unsigned int color_temperature = known_control("ColourTemperature");
  unsigned int af_state = known_control("AfState");
  unsigned int scaler_crop = known_control("ScalerCrop");
};

/// Returns a value of the given type; an array only when requested.
const ControlValue *find(const ControlList &metadata, unsigned int id,
                         libcamera::ControlType type, bool is_array = false) {
  if (!id || !metadata.contains(id))
    return nullptr;
  const ControlValue &value = metadata.get(id);
  return value.type() == type && value.isArray() == is_array ? &value : nullptr;
}

std::optional<int32_t> whole(const ControlList &metadata, unsigned int id) {
  const ControlValue *value = find(metadata, id, libcamera::ControlTypeInteger32);
  return value ? std::optional(value->get<int32_t>()) : std::nullopt;
}

std::optional<bool> flag(const ControlList &metadata, unsigned int id) {
  const ControlValue *value = find(metadata, id, libcamera::ControlTypeBool);
  return value ? std::optional(value->get<bool>()) : std::nullopt;
}

uint32_t adjustment(std::optional<bool> has_converged) {
  if (!has_converged)
    return PLATEN_CAMERA_ADJUSTMENT_UNKNOWN;
  return *has_converged ? PLATEN_CAMERA_ADJUSTMENT_CONVERGED : PLATEN_CAMERA_ADJUSTMENT_SEARCHING;
}

uint32_t exposure_state(const ControlList &metadata, const Known &known) {
  // With ExposureTimeModeManual there is no search.
  if (whole(metadata, known.exposure_time_mode) == 1)
    return PLATEN_CAMERA_ADJUSTMENT_LOCKED;
  // The drafts before 0.5 and the control since then agree on the first three numbers.
  if (const auto state = whole(metadata, known.ae_state)) {
    switch (*state) {
      case 0: return PLATEN_CAMERA_ADJUSTMENT_LOCKED;  // Inactive, Idle
      case 1: return PLATEN_CAMERA_ADJUSTMENT_SEARCHING;
      case 2: return PLATEN_CAMERA_ADJUSTMENT_CONVERGED;
      case 3: return PLATEN_CAMERA_ADJUSTMENT_LOCKED;
      default: return PLATEN_CAMERA_ADJUSTMENT_UNKNOWN;
    }
  }
  return adjustment(flag(metadata, known.ae_locked));
}

uint32_t focus_state(std::optional<int32_t> state) {
  if (!state || *state < 0 || *state > 3)
    return PLATEN_CAMERA_FOCUS_STATE_UNKNOWN;
  return PLATEN_CAMERA_FOCUS_STATE_IDLE + static_cast<uint32_t>(*state);
}

}  // namespace

void describe_controls(const ControlList &metadata, const std::optional<FieldOfView> &field,
                       platen_camera_frame_info &info) {
  static const Known known;
  info.exposure_state = exposure_state(metadata, known);
  info.white_balance_state = adjustment(flag(metadata, known.awb_locked));
  info.focus_state = focus_state(whole(metadata, known.af_state));
  if (const auto temperature = whole(metadata, known.color_temperature)) {
    info.color_temperature = *temperature;
    info.present |= PLATEN_CAMERA_HAS_COLOR_TEMPERATURE;
  }
  if (const auto *gains =
          find(metadata, known.color_gains, libcamera::ControlTypeFloat, true);
      gains && gains->numElements() == 2) {
    const auto values = gains->get<libcamera::Span<const float>>();
    info.red_gain = static_cast<double>(values[0]);
    info.blue_gain = static_cast<double>(values[1]);
    info.present |= PLATEN_CAMERA_HAS_WHITE_BALANCE_GAINS;
  }
  if (const auto *matrix =
          find(metadata, known.color_matrix, libcamera::ControlTypeFloat, true);
      matrix && matrix->numElements() == std::size(info.color_matrix)) {
    const auto values = matrix->get<libcamera::Span<const float>>();
    std::copy(values.begin(), values.end(), info.color_matrix);
    info.present |= PLATEN_CAMERA_HAS_COLOR_MATRIX;
  }
  if (const auto *levels =
          find(metadata, known.black_levels, libcamera::ControlTypeInteger32, true);
      levels && levels->numElements() == std::size(info.black_levels)) {
    const auto values = levels->get<libcamera::Span<const int32_t>>();
    std::copy(values.begin(), values.end(), info.black_levels);
    info.present |= PLATEN_CAMERA_HAS_BLACK_LEVELS;
  }
  if (const auto *crop =
          find(metadata, known.scaler_crop, libcamera::ControlTypeRectangle)) {
    const auto rectangle = crop->get<libcamera::Rectangle>();
    info.crop_left = rectangle.x;
    info.crop_top = rectangle.y;
    info.crop_width = rectangle.width;
    info.crop_height = rectangle.height;
    info.present |= PLATEN_CAMERA_HAS_CROP;
    if (field) {
      info.zoom = field->zoom(rectangle);
      info.present |= PLATEN_CAMERA_HAS_ZOOM;
    }
  }
}

}  // namespace platen
