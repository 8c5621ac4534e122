// The functions of platen_camera_rehearsal.h.
#include <libcamera/control_ids.h>
#include <libcamera/property_ids.h>
#include <libcamera/version.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>

#include "../Controls/Capabilities.hpp"
#include "../Controls/ControlPlan.hpp"
#include "../Controls/FrameControls.hpp"
#include "../Stream/FormatChoice.hpp"
#include "../Stream/OwnInterval.hpp"
#include "../Stream/RawChoice.hpp"
#include "Failure.hpp"
#include "platen_camera_rehearsal.h"

#define PLATEN_LIBCAMERA                                                        \
  (LIBCAMERA_VERSION_MAJOR * 10000 + LIBCAMERA_VERSION_MINOR * 100 + LIBCAMERA_VERSION_PATCH)

namespace {

using libcamera::ControlId;
using libcamera::ControlInfo;
using libcamera::ControlValue;
using libcamera::Rectangle;

libcamera::ControlType type_of(uint32_t type) {
  switch (type) {
    case PLATEN_REHEARSAL_BOOL: return libcamera::ControlTypeBool;
    case PLATEN_REHEARSAL_INT32: return libcamera::ControlTypeInteger32;
    case PLATEN_REHEARSAL_INT64: return libcamera::ControlTypeInteger64;
    case PLATEN_REHEARSAL_RECTANGLE: return libcamera::ControlTypeRectangle;
    default: return libcamera::ControlTypeFloat;
  }
}

ControlValue value_of(uint32_t type, double number) {
  const float pair[2] = {static_cast<float>(number), static_cast<float>(number)};
  switch (type) {
    case PLATEN_REHEARSAL_BOOL: return ControlValue(number != 0);
    case PLATEN_REHEARSAL_INT32: return ControlValue(static_cast<int32_t>(number));
    case PLATEN_REHEARSAL_INT64: return ControlValue(static_cast<int64_t>(number));
    case PLATEN_REHEARSAL_RECTANGLE: {
      const auto side = static_cast<unsigned int>(number);
      return ControlValue(Rectangle(0, 0, side, side));
    }
    case PLATEN_REHEARSAL_TWO_FLOATS:
      return ControlValue(libcamera::Span<const float, 2>(pair));
    default: return ControlValue(static_cast<float>(number));
  }
}

/// A made-up list of a camera's controls.
class MadeUpControls {
 public:
  MadeUpControls(const platen_rehearsal_control *listed, size_t count) {
    libcamera::ControlInfoMap::Map infos;
    for (size_t index = 0; index < count; index++) {
      const auto &control = listed[index];
      const auto number = static_cast<unsigned int>(index + 1);
#if PLATEN_LIBCAMERA >= 400
      const auto direction = ControlId::DirectionFlags(ControlId::Direction::In);
      ids_.emplace_back(number, control.name, "libcamera", type_of(control.type), direction);
#else
      ids_.emplace_back(number, control.name, type_of(control.type));
#endif
      const ControlId *id = &ids_.back();
      id_map_.emplace(number, id);
      const auto standard =
          control.has_standard ? value_of(control.type, control.standard) : ControlValue();
      infos.emplace(id, ControlInfo(value_of(control.type, control.minimum),
                                    value_of(control.type, control.maximum), standard));
    }
    controls_ = libcamera::ControlInfoMap(std::move(infos), id_map_);
  }

  const libcamera::ControlInfoMap &map() const { return controls_; }

  std::string line(const std::pair<unsigned int, ControlValue> &value) const {
    return ids_[value.first - 1].name() + " " + value.second.toString() + "\n";
  }

 private:
  std::deque<ControlId> ids_;  // which do not move
  libcamera::ControlIdMap id_map_;
  libcamera::ControlInfoMap controls_;
};

/// A configuration that validates requests as libcamera's uvcvideo pipeline does.
class CableConfiguration : public libcamera::CameraConfiguration {
 public:
  CableConfiguration(const platen_rehearsal_size *sizes, size_t count) {
    std::map<libcamera::PixelFormat, std::vector<libcamera::SizeRange>> formats;
    for (size_t index = 0; index < count; index++)
      formats[libcamera::PixelFormat(sizes[index].format)].emplace_back(
          libcamera::Size(sizes[index].width, sizes[index].height));
    addConfiguration(libcamera::StreamConfiguration(libcamera::StreamFormats(formats)));
  }

  Status validate() override {
    libcamera::StreamConfiguration &stream = config_[0];
    const auto wanted = stream.size;
    const auto formats = stream.formats().pixelformats();
    const bool is_offered =
        std::find(formats.begin(), formats.end(), stream.pixelFormat) != formats.end();
    if (!is_offered)
      stream.pixelFormat = formats.front();
    const auto sizes = stream.formats().sizes(stream.pixelFormat);
    stream.size = sizes.front();
    for (const auto &size : sizes) {
      if (size > wanted)
        break;
      stream.size = size;
    }
    stream.bufferCount = 4;
    return is_offered && stream.size == wanted ? Valid : Adjusted;
  }
};

std::string lines(const char *title, const MadeUpControls &controls,
                  const platen::ControlValues &values) {
  std::vector<std::string> sorted;
  for (const auto &value : values)
    sorted.push_back(std::string(title) + " " + controls.line(value));
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const auto &line : sorted)
    text += line;
  return text;
}

}  // namespace

extern "C" int platen_rehearse_controls(
    const platen_rehearsal_control *listed, size_t count, uint32_t sensor_width,
    uint32_t sensor_height, uint32_t stream_width, uint32_t stream_height,
    const platen_camera_controls *wanted, platen_camera_capabilities *capabilities, char *text,
    size_t text_size, char *cause, size_t cause_size) {
  return platen::guarded(cause, cause_size, [&] {
    const MadeUpControls controls(listed, count);
    libcamera::ControlList properties(libcamera::properties::properties);
    if (sensor_width && sensor_height)
      properties.set(libcamera::properties::ScalerCropMaximum,
                     Rectangle(0, 0, sensor_width, sensor_height));
    const platen::CameraFacts camera(controls.map(), properties);
    const libcamera::Size stream(stream_width, stream_height);
    *capabilities = platen::capabilities_of(camera, stream);
    const platen::ControlPlan plan(camera, *wanted, stream);
    std::string told = lines("start", controls, plan.start);
    for (size_t index = 0; index < plan.requests.size(); index++)
      told += lines(("request " + std::to_string(index + 1)).c_str(), controls,
                    plan.requests[index]);
    std::snprintf(text, text_size, "%s", told.c_str());
    return 0;
  });
}

extern "C" int platen_rehearse_frame(
    const platen_rehearsal_control *metadata, size_t count, platen_camera_frame_info *info) {
  return platen::guarded([&] {
    libcamera::ControlList list(libcamera::controls::controls);
    for (size_t index = 0; index < count; index++) {
      const unsigned int id = platen::known_control(metadata[index].name);
      if (!id)
        throw platen::Failure{-ENOENT, metadata[index].name};
      list.set(id, value_of(metadata[index].type, metadata[index].maximum));
    }
    *info = {};
    platen::describe_controls(list, std::nullopt, *info);
    return 0;
  });
}

extern "C" int platen_rehearse_format(
    const platen_rehearsal_size *sizes, size_t count, const platen_camera_request *wanted,
    platen_rehearsal_size *chosen, char *cause, size_t cause_size) {
  return platen::guarded(cause, cause_size, [&] {
    CableConfiguration configuration(sizes, count);
    platen::choose_format(configuration, *wanted, 4, false);
    const libcamera::StreamConfiguration &stream = configuration.at(0);
    *chosen = {stream.pixelFormat.fourcc(), stream.size.width, stream.size.height};
    return 0;
  });
}

extern "C" int platen_rehearse_raw(uint32_t fourcc, uint64_t modifier, platen_camera_raw *raw) {
  return platen::guarded([&] {
    const auto form = platen::raw_form_of(libcamera::PixelFormat(fourcc, modifier));
    *raw = form.value_or(platen_camera_raw{});
    return form ? 0 : -ENOTSUP;
  });
}

extern "C" int platen_rehearse_interval(
    const int64_t *timestamps_ns, size_t count, int64_t *interval_ns) {
  return platen::guarded([&] {
    platen::OwnInterval interval;
    for (size_t index = 0; index < count; index++)
      interval.take(timestamps_ns[index], false);
    *interval_ns = interval.value_ns().value_or(0);
    return 0;
  });
}
