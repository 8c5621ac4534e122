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
  bool has_raw;      // the second stream gets raw frames; the last one may get previews
};

/// The number of requests whose buffers come even from the ring's share while frames are leased.
///
/// vb2 drivers need up to two buffers before they begin to stream.
constexpr uint32_t fewest_requests = 2;

/// The minimum number of buffers of a stream: two with the driver, one to look at.
constexpr uint32_t fewest_buffers = fewest_requests + 1;

/// The minimum number of buffers with raw frames: three with the driver, and a ring of three beside
/// a lease.
constexpr uint32_t fewest_with_raw = 7;

/// The division of a stream's buffers.
///
/// Leases take buffers from the requests first, down to the fewest, and only then from the ring. So
/// the ring is whole when a frame is leased beside all others but one, which is the preview's.
struct BufferShares {
  uint32_t buffers;
  uint32_t requests;  // the most with the driver at a time
  uint32_t ring;      // the finished frames that remain when the last but one lease begins
  uint32_t leases;    // the possible simultaneous leases, at most the wanted number

  /// Divides the buffers; `slots` is the number that the driver takes at a time (bufferCount).
  BufferShares(size_t buffers, uint32_t slots, const platen_camera_request &request);

  /// Returns the number of buffers that a request needs, at most PLATEN_CAMERA_BUFFERS_MAX.
  static uint32_t needed_by(const platen_camera_request &request);
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
