// A kind of camera: its formats, its validation, and its reports.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/controls.h>

#include <memory>
#include <string>
#include <vector>

namespace picameras {

/// A frame's exposure.
struct Exposure {
  int64_t duration_us;  // from frame to frame
  int64_t time_us;
  float gain = 1.0f;
};

/// A frame's place in its stream.
struct Place {
  unsigned int sequence;  // the sensor's number, which also counts frames without a buffer
  unsigned int number;    // from 1, of the frames with a buffer since the start
  int64_t timestamp_ns;
};

/// A kind of camera, with its driver's state of the last configuration.
class Pipeline {
 public:
  virtual ~Pipeline() = default;

  virtual std::string id() const = 0;
  virtual libcamera::ControlList properties() const = 0;
  /// The controls, with the limits of the mode configured last.
  virtual libcamera::ControlInfoMap controls() const = 0;
  virtual std::unique_ptr<libcamera::CameraConfiguration> generate(
      const std::vector<libcamera::StreamRole> &roles) const = 0;
  /// Applies a validated configuration.
  virtual int configure(const libcamera::CameraConfiguration &configuration) = 0;
  /// Returns the contiguous bytes that the driver takes for itself at its start.
  virtual uint64_t internal_memory(const libcamera::CameraConfiguration &configuration) const = 0;
  /// Returns the exposure of frames with the given controls.
  virtual Exposure exposure(const libcamera::ControlList &set) const = 0;
  /// Writes a frame's metadata.
  virtual void describe(const Exposure &exposure, const Place &place, const libcamera::ControlList &set,
                        libcamera::ControlList &metadata) const = 0;
  /// The number of frames from a request to the exposure that has its controls; 1 or more.
  ///
  /// The metadata of each frame have the exposure of the frame itself.
  virtual unsigned int control_delay() const { return 1; }
  /// The frames after a start that the driver completes with an error.
  virtual unsigned int invalid_frames() const { return 0; }
  /// Returns the first bytes of a stream's frame if they matter, otherwise no bytes.
  virtual std::vector<uint8_t> contents(const libcamera::StreamConfiguration &, unsigned int) const {
    return {};
  }
  /// Whether frames end with their contents.
  virtual bool is_jpeg() const { return false; }
  /// Whether buffers must be contiguous.
  virtual bool needs_contiguous_memory() const = 0;
};

/// Makes a CSI camera; `rotation` is the kernel's mounting angle, or -1 for the sensor's usual one.
std::unique_ptr<Pipeline> make_csi(bool is_pisp, const std::string &sensor, int rotation,
                                   bool has_flips, bool takes_exposure, bool widens_rows);
std::unique_ptr<Pipeline> make_uvc(const std::string &name);

}  // namespace picameras
