// A sensor's modes, and the one that shows the most of its field.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/geometry.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace platen {

/// A readout mode of a sensor.
struct SensorMode {
  libcamera::Size size;          // the pixels of the readout
  libcamera::Rectangle crop;     // the shown part, in sensor pixels
  libcamera::PixelFormat format; // of the raw pixels
  unsigned int bit_depth;
  int64_t shortest_frame_ns;     // 0 when unknown
};

/// The modes of a sensor that may be chosen.
///
/// By default libcamera takes the mode whose size and shape are nearest to the stream's, which on
/// many sensors is cropped from the middle. The shown part of a mode is known only once the mode is
/// configured.
class SensorModes {
 public:
  SensorModes() = default;
  explicit SensorModes(std::vector<SensorMode> modes) : modes_(std::move(modes)) {}

  /// Configures a camera that does not stream in each of its modes.
  ///
  /// The result is empty where modes cannot be chosen. There is none when the camera could not be
  /// configured now, because another camera has the resources. `kept` receives the configuration
  /// that is active afterwards.
  static std::optional<SensorModes> survey(libcamera::Camera &camera,
                                           std::unique_ptr<libcamera::CameraConfiguration> &kept);

  /// Returns a stream's mode: of those that show the most, the smallest that needs no enlarging.
  const SensorMode *best(const libcamera::Size &stream) const;

  /// Returns the largest part of the sensor that a mode shows; empty when it is unknown.
  libcamera::Rectangle whole() const;

 private:
  std::vector<SensorMode> modes_;
};

/// Makes a camera mounted turned by a quarter give its pictures as the sensor reads them.
///
/// libcamera before 0.2 would mirror them.
void leave_quarter_turns(const libcamera::Camera &camera,
                         libcamera::CameraConfiguration &configuration);

/// Returns a configuration for modes, whose first stream has processed pictures; or nothing.
std::unique_ptr<libcamera::CameraConfiguration> generate_with_mode(libcamera::Camera &camera);

/// Requests a mode in a configuration of generate_with_mode().
void ask_for(libcamera::CameraConfiguration &configuration, const SensorMode &mode);

}  // namespace platen
