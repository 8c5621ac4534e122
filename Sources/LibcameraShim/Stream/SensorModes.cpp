#include "SensorModes.hpp"

#include <libcamera/property_ids.h>
#include <libcamera/version.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <string>
#include <tuple>

#include "../Controls/FieldOfView.hpp"
#include "FrameDuration.hpp"

// Versions without it need a raw stream that never gets a buffer to request the mode.
#if LIBCAMERA_VERSION_MAJOR > 0 || LIBCAMERA_VERSION_MINOR >= 2
#define PLATEN_HAS_SENSOR_CONFIGURATION 1
#else
#define PLATEN_HAS_SENSOR_CONFIGURATION 0
#endif

namespace platen {
namespace {

using libcamera::CameraConfiguration;
using libcamera::PixelFormat;
using libcamera::Rectangle;
using libcamera::Size;
using libcamera::StreamRole;

// A mode that shows this share of another one's part is as good.
constexpr double as_much = 0.99;
// More bits do not improve an 8-bit picture.
constexpr unsigned int most_bits = 12;

std::unique_ptr<CameraConfiguration> generate(libcamera::Camera &camera,
                                              const std::vector<StreamRole> &roles) {
  auto configuration = camera.generateConfiguration(roles);
  return configuration && configuration->size() == roles.size() ? std::move(configuration) : nullptr;
}

/// Returns the bits of a format of raw pixels, such as SRGGB10_CSI2P; 0 for other formats.
unsigned int bit_depth_of(const PixelFormat &format) {
  const std::string name = format.toString();
  const size_t digits = name.find_first_of("0123456789");
  // SRGGB10 and its like, and R10 of a monochrome sensor.
  const bool is_raw = (digits == 5 && name[0] == 'S') || (digits == 1 && name[0] == 'R');
  return is_raw ? static_cast<unsigned int>(std::stoul(name.substr(digits))) : 0;
}

/// Returns the sizes of a sensor's readout, each with the most bits; their crops are unknown.
std::vector<SensorMode> listed_modes(libcamera::Camera &camera) {
  const auto configuration = generate(camera, {StreamRole::Raw});
  if (!configuration)
    return {};
  std::map<std::pair<unsigned int, unsigned int>, SensorMode> modes;
  const libcamera::StreamFormats &formats = configuration->at(0).formats();
  for (const PixelFormat &format : formats.pixelformats()) {
    const unsigned int bits = bit_depth_of(format);
    if (bits == 0 || bits > most_bits)
      continue;
    for (const Size &size : formats.sizes(format)) {
      SensorMode &mode = modes[{size.width, size.height}];
      if (bits > mode.bit_depth)
        mode = {size, Rectangle(), format, bits, 0};
    }
  }
  std::vector<SensorMode> listed;
  for (const auto &[size, mode] : modes)
    listed.push_back(mode);
  return listed;
}

double area(const Size &size) { return static_cast<double>(size.width) * size.height; }

}  // namespace

std::unique_ptr<CameraConfiguration> generate_with_mode(libcamera::Camera &camera) {
#if PLATEN_HAS_SENSOR_CONFIGURATION
  auto configuration = generate(camera, {StreamRole::StillCapture});
#else
  auto configuration = generate(camera, {StreamRole::StillCapture, StreamRole::Raw});
#endif
  if (configuration)
    leave_quarter_turns(camera, *configuration);
  return configuration;
}

void leave_quarter_turns(const libcamera::Camera &camera, CameraConfiguration &configuration) {
#if PLATEN_HAS_SENSOR_CONFIGURATION
  static_cast<void>(camera);
  static_cast<void>(configuration);
#else
  const int rotation = camera.properties().get(libcamera::properties::Rotation).value_or(0);
  bool is_known = false;
  const libcamera::Transform turn = libcamera::transformFromRotation(rotation, &is_known);
  if (is_known && !!(turn & libcamera::Transform::Transpose))
    configuration.transform = -turn;
#endif
}

void ask_for(CameraConfiguration &configuration, const SensorMode &mode) {
#if PLATEN_HAS_SENSOR_CONFIGURATION
  libcamera::SensorConfiguration wanted;
  wanted.bitDepth = mode.bit_depth;
  wanted.outputSize = mode.size;
  configuration.sensorConfig = wanted;
#else
  // None of its buffers are the shim's, so that the driver has all of its own.
  configuration.at(1).bufferCount = 0;
  configuration.at(1).pixelFormat = mode.format;
  configuration.at(1).size = mode.size;
#endif
}

std::optional<SensorModes> SensorModes::survey(libcamera::Camera &camera,
                                               std::unique_ptr<CameraConfiguration> &kept) {
  std::vector<SensorMode> modes = listed_modes(camera);
  if (modes.size() < 2)
    return SensorModes();
  bool could_configure = true;
  std::erase_if(modes, [&](SensorMode &mode) {
    auto configuration = generate_with_mode(camera);
    if (!configuration)
      return true;
    configuration->at(0).size = mode.size;
    ask_for(*configuration, mode);
    if (configuration->validate() == CameraConfiguration::Invalid)
      return true;
    if (const int error = camera.configure(configuration.get())) {
      // -EINVAL: libcamera does not support the mode. Other errors may pass.
      could_configure &= error == -EINVAL;
      return true;
    }
    kept = std::move(configuration);
    mode.crop =
        camera.properties().get(libcamera::properties::ScalerCropMaximum).value_or(Rectangle());
    const auto range = FrameDurationRange::of(camera);
    mode.shortest_frame_ns = range ? range->minimum_ns : 0;
    return mode.crop.isNull();
  });
  return could_configure ? std::optional(SensorModes(std::move(modes))) : std::nullopt;
}

const SensorMode *SensorModes::best(const Size &stream) const {
  auto shown = [&](const SensorMode &mode) { return area(shown_of(mode.crop, stream).size()); };
  /// Returns whether the shown part has as many pixels as the stream.
  auto suffices = [&](const SensorMode &mode) {
    const Rectangle part = shown_of(mode.crop, stream);
    return static_cast<double>(mode.size.width) * part.width / mode.crop.width >= stream.width &&
           static_cast<double>(mode.size.height) * part.height / mode.crop.height >= stream.height;
  };
  double most = 0;
  for (const SensorMode &mode : modes_)
    most = std::max(most, shown(mode));
  const SensorMode *best = nullptr;
  for (const SensorMode &mode : modes_) {
    if (shown(mode) < as_much * most)
      continue;
    // The smallest sufficient mode is best, else the largest.
    const bool is_better =
        !best || (suffices(mode) != suffices(*best) ? suffices(mode)
                  : suffices(mode)                  ? area(mode.size) < area(best->size)
                                                    : area(mode.size) > area(best->size));
    if (is_better)
      best = &mode;
  }
  return best;
}

Rectangle SensorModes::whole() const {
  Rectangle whole;
  for (const SensorMode &mode : modes_) {
    if (area(mode.crop.size()) > area(whole.size()))
      whole = mode.crop;
  }
  return whole;
}

}  // namespace platen
