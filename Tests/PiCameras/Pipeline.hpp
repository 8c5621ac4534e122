// A kind of camera: its formats, how it validates, and what it reports.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/controls.h>

#include <memory>
#include <string>
#include <vector>

namespace picameras {

/// The times with which a frame has been taken.
struct Exposure {
  int64_t duration_us;  // from frame to frame
  int64_t time_us;
};

/// A kind of camera, with what its driver keeps of the last configuration.
class Pipeline {
 public:
  virtual ~Pipeline() = default;

  virtual std::string id() const = 0;
  virtual libcamera::ControlList properties() const = 0;
  /// The controls, with the limits of the mode configured last.
  virtual libcamera::ControlInfoMap controls() const = 0;
  virtual std::unique_ptr<libcamera::CameraConfiguration> generate(
      const std::vector<libcamera::StreamRole> &roles) const = 0;
  /// Takes a configuration that has been validated.
  virtual int configure(const libcamera::CameraConfiguration &configuration) = 0;
  /// Bytes in one piece that the driver takes for itself when it starts.
  virtual uint64_t internal_memory(const libcamera::CameraConfiguration &configuration) const = 0;
  /// How long frames are, given the controls that were set.
  virtual Exposure exposure(const libcamera::ControlList &set) const = 0;
  /// Tells what is known of a frame.
  virtual void describe(const Exposure &exposure, int64_t timestamp_ns, const libcamera::ControlList &set,
                        libcamera::ControlList &metadata) const = 0;
  /// The bytes of a frame, where they matter; empty where they do not.
  virtual std::vector<uint8_t> contents(unsigned int) const { return {}; }
  /// Whether buffers have to be in one piece.
  virtual bool needs_contiguous_memory() const = 0;
};

/// `rotation`: of its mounting, in degrees as the kernel tells it; -1 for the sensor's usual one.
std::unique_ptr<Pipeline> make_csi(bool is_pisp, const std::string &sensor, int rotation);
std::unique_ptr<Pipeline> make_uvc(const std::string &name);

}  // namespace picameras
