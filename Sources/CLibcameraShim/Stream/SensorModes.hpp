// A sensor's modes, and the one that shows the most of its field.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/geometry.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace platen {

/// A way to read a sensor out.
struct SensorMode {
  libcamera::Size size;          // pixels that come out
  libcamera::Rectangle crop;     // what they show, in sensor pixels
  libcamera::PixelFormat format; // of the raw pixels
  unsigned int bit_depth;
  int64_t shortest_frame_ns;     // 0: not known
};

/// The modes of a sensor that may be chosen.
///
/// Left alone, libcamera takes the mode whose size and shape are nearest to the stream's, which on
/// many sensors is cut out of the middle. What a mode shows it tells only once it is configured.
class SensorModes {
 public:
  SensorModes() = default;
  explicit SensorModes(std::vector<SensorMode> modes) : modes_(std::move(modes)) {}

  /// Configures a camera that does not stream in each of its modes; empty where they cannot be
  /// chosen, and nothing when it could not be configured now, because another camera has what it
  /// needs. `kept` receives the configuration that is in force afterwards.
  static std::optional<SensorModes> survey(libcamera::Camera &camera,
                                           std::unique_ptr<libcamera::CameraConfiguration> &kept);

  /// The mode for a stream: of those that show the most, the smallest that need not be enlarged.
  const SensorMode *best(const libcamera::Size &stream) const;

  /// The largest part of the sensor that a mode shows; empty when nothing is known.
  libcamera::Rectangle whole() const;

 private:
  std::vector<SensorMode> modes_;
};

/// Has a camera that is mounted turned by a quarter give its pictures as the sensor reads them out;
/// libcamera before 0.2 would mirror them.
void leave_quarter_turns(const libcamera::Camera &camera,
                         libcamera::CameraConfiguration &configuration);

/// A configuration that can be asked for a mode, whose first stream is of processed pictures; or nothing.
std::unique_ptr<libcamera::CameraConfiguration> generate_with_mode(libcamera::Camera &camera);

/// Asks a configuration of generate_with_mode() for a mode.
void ask_for(libcamera::CameraConfiguration &configuration, const SensorMode &mode);

}  // namespace platen
