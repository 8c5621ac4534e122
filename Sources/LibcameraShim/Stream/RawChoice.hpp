// The raw stream beside the processed one.
#pragma once

#include <libcamera/camera.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "SensorModes.hpp"
#include "platen_camera.h"

namespace platen {

/// Returns the form of raw samples, without a size; nothing for a format that is not unpacked here.
std::optional<platen_camera_raw> raw_form_of(const libcamera::PixelFormat &format);

/// Returns the layout of a validated raw stream; nothing as raw_form_of().
std::optional<platen_camera_raw> raw_layout_of(const libcamera::StreamConfiguration &stream);

/// Returns a chosen configuration with a raw stream as its second stream.
///
/// Samples without loss are preferred to compressed ones. Nothing is returned for a camera without
/// such a raw stream, and when it would change the chosen stream. `mode` may be null.
std::unique_ptr<libcamera::CameraConfiguration> with_raw_stream(
    libcamera::Camera &camera, const SensorMode *mode,
    const libcamera::CameraConfiguration &chosen, uint32_t buffers);

}  // namespace platen
