// The small stream for previews beside the other streams.
#pragma once

#include <libcamera/camera.h>

#include <cstdint>
#include <memory>

#include "SensorModes.hpp"

namespace platen {

/// Returns a chosen configuration with a small processed stream behind its streams.
///
/// A preview has the shape of the chosen stream, at most half of its width and at most `width`
/// columns. Its format is YUV420, or else NV12. Nothing is returned for a camera without such a
/// stream, and when the stream would change one of the chosen streams. `mode` may be null.
std::unique_ptr<libcamera::CameraConfiguration> with_preview_stream(
    libcamera::Camera &camera, const SensorMode *mode,
    const libcamera::CameraConfiguration &chosen, uint32_t width, uint32_t buffers);

/// Returns the stream of previews of a configuration that has one.
libcamera::StreamConfiguration &preview_stream_of(libcamera::CameraConfiguration &configuration);

}  // namespace platen
