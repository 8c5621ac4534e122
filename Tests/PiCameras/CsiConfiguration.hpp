// The validation of the Raspberry Pi's two pipelines.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/version.h>

#include <memory>
#include <vector>

#include "Sensors.hpp"

namespace picameras {

/// Returns the mode that libcamera uses for a size and a bit depth.
const Mode &best_mode(const Sensor &sensor, const libcamera::Size &size, unsigned int bit_depth);

/// A configuration for a camera at the CSI-2 port.
class CsiConfiguration : public libcamera::CameraConfiguration {
 public:
  CsiConfiguration(const Sensor &sensor, bool is_pisp) : sensor_(sensor), is_pisp_(is_pisp) {}

  void add(libcamera::StreamRole role);
  Status validate() override;

  /// The mode that the last validate() has chosen.
  const Mode &mode() const { return *mode_; }

 private:
  bool turn();
  static bool share_color_space(const std::vector<libcamera::StreamConfiguration *> &processed);
  bool adjust_raw(libcamera::StreamConfiguration &stream) const;
  bool adjust_processed(libcamera::StreamConfiguration &stream, const libcamera::Size &largest) const;

  const Sensor &sensor_;
  const bool is_pisp_;
  const Mode *mode_ = nullptr;
};

}  // namespace picameras
