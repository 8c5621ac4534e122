// The sensors of Raspberry Pis, as listed by their drivers.
#pragma once

#include <libcamera/geometry.h>
#include <libcamera/pixel_format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace picameras {

/// A mode of a sensor.
struct Mode {
  libcamera::Size size;
  libcamera::Rectangle crop;  // within the active pixels
  unsigned int bit_depth;
  int64_t shortest_frame_us;
  int64_t longest_frame_us;
};

/// A sensor with its modes.
struct Sensor {
  std::string model;
  libcamera::Size active;
  unsigned int address;  // on the I2C bus, a part of its camera's ID
  int32_t rotation;      // by the overlay; the sensor turns the picture back itself
  bool has_lens;
  float highest_gain;
  std::string order;  // the order of the filter's colors, as libcamera lists it
  unsigned int invalid_frames;  // after a start
  unsigned int control_delay;   // frames from a request to the exposure that has its controls
  std::vector<Mode> modes;
  bool has_flips = true;  // whether the sensor can read out from its other edges
  bool widens_rows = false;    // whether a second output lengthens the rows of the first one
  bool takes_exposure = true;  // whether exposures can be set; the driver lists the controls anyway
};

/// Returns the sensor of a model; `nullptr` for another.
const Sensor *sensor_of(const std::string &model);

/// Returns the format of raw pixels packed as CSI-2 sends them.
libcamera::PixelFormat packed(const std::string &order, unsigned int bit_depth);

/// Returns the format of raw pixels as a Raspberry Pi 5 writes them: 16 bits, or compressed to 8.
libcamera::PixelFormat of_pisp(const std::string &order, bool is_compressed);

/// Returns whether a format is one of raw pixels, of any order and depth.
bool is_raw(const libcamera::PixelFormat &format);

}  // namespace picameras
