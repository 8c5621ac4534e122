// From what is wanted to what the camera can do.
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
  uint32_t buffers;  // how many are wanted in all
};

/// The fewest buffers that a stream works with: two with the driver, one to look at.
constexpr uint32_t fewest_buffers = 3;

/// How a stream's buffers are divided.
struct BufferShares {
  uint32_t buffers;
  uint32_t requests;  // with the driver at a time
  uint32_t ring;      // finished frames that remain when all leases are out
  uint32_t leases;    // of the wanted, as many as may be out at a time

  /// `slots` is how many the driver takes at a time (libcamera's bufferCount).
  BufferShares(size_t buffers, uint32_t slots, uint32_t leased_frames);
};

/// Asks libcamera what it would make of a request; legal while the camera streams.
///
/// Throws ENOTSUP, with the formats that can be had, when none of the wanted is among them, and
/// EINVAL for a request that makes no sense.
Negotiated negotiate(libcamera::Camera &camera, const SensorModes &modes,
                     const platen_camera_request &request, platen_camera_memory expected_memory);

/// Fills in the timing, which depends on the mode; exact only once the camera has been configured.
///
/// `expected`: the mode that it is going to have, before that.
void describe_timing(libcamera::Camera &camera, const SensorMode *expected, int64_t wanted_ns,
                     platen_camera_stream &stream);

/// Fills in which part of a sensor with these modes is shown; nothing without any.
void describe_field(const libcamera::Camera &camera, const SensorModes &modes,
                    const SensorMode *expected, platen_camera_stream &stream);

}  // namespace platen
