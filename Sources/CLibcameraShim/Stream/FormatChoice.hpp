// Which pixel format a stream has, of those that are wanted.
#pragma once

#include <libcamera/camera.h>

#include "platen_camera.h"

namespace platen {

/// Whether a format has red, green and blue samples.
bool is_rgb(const libcamera::PixelFormat &format);

/// Validates a configuration with the wanted format whose size comes nearest to the wanted one.
///
/// The first that is wanted is taken of formats with the same size; but of a camera that `has_rates`
/// is not true of, which is one at a USB cable, MJPEG above 640x480: raw samples of that size pass a
/// USB 2 cable some five times a second.
///
/// Throws ENOTSUP, with the formats that can be had, when none of the wanted is among them.
void choose_format(libcamera::CameraConfiguration &configuration,
                   const platen_camera_request &request, uint32_t buffers, bool has_rates);

}  // namespace platen
