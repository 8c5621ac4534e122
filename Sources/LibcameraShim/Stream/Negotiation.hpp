// The conversion of a request to the configuration that the camera supports.
#pragma once

#include <libcamera/camera.h>

#include <memory>

#include "../Memory/BufferStock.hpp"
#include "SensorModes.hpp"
#include "platen_camera.h"

namespace platen {

/// A validated configuration and its description.
struct Negotiated {
  std::unique_ptr<libcamera::CameraConfiguration> configuration;
  platen_camera_stream stream;
  uint32_t buffers;  // the total number wanted
};

/// The minimum number of buffers of a stream: two with the driver, one to look at.
constexpr uint32_t fewest_buffers = 3;

/// The division of a stream's buffers.
struct BufferShares {
  uint32_t buffers;
  uint32_t requests;  // the number with the driver at a time
  uint32_t ring;      // the finished frames that remain with all leases in use
  uint32_t leases;    // the possible simultaneous leases, at most the wanted number

  /// Divides the buffers; `slots` is the number that the driver takes at a time (bufferCount).
  BufferShares(size_t buffers, uint32_t slots, uint32_t leased_frames);
};

/// Returns libcamera's resolution of a request; legal while the camera streams.
///
/// Throws ENOTSUP, with the available formats, when none of the wanted ones is among them, and
/// EINVAL for an invalid request.
Negotiated negotiate(libcamera::Camera &camera, const SensorModes &modes,
                     const platen_camera_request &request, platen_camera_memory expected_memory);

/// Fills in the timing, which depends on the mode; exact only once the camera has been configured.
///
/// `expected` is the mode that the camera will have, before its configuration.
void describe_timing(libcamera::Camera &camera, const SensorMode *expected, int64_t wanted_ns,
                     platen_camera_stream &stream);

/// Fills in the part of the sensor that is shown; does nothing without modes.
void describe_field(const libcamera::Camera &camera, const SensorModes &modes,
                    const SensorMode *expected, platen_camera_stream &stream);

}  // namespace platen
