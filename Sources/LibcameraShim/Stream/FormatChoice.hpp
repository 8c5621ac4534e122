// The choice of a stream's pixel format among the wanted ones.
#pragma once

#include <libcamera/camera.h>

#include "platen_camera.h"

namespace platen {

/// Returns whether a format has red, green and blue samples.
bool is_rgb(const libcamera::PixelFormat &format);

/// Validates a configuration with the wanted format whose size is nearest to the wanted one.
///
/// Of formats with the same size, the first wanted one is taken. A camera without `has_rates` is on
/// a USB 2 cable: there MJPEG is preferred where raw samples would come less often than wanted. At
/// 30 frames a second, which is usual, that begins above 640x480.
///
/// Throws ENOTSUP, with the available formats, when none of the wanted ones is among them.
void choose_format(libcamera::CameraConfiguration &configuration,
                   const platen_camera_request &request, uint32_t buffers, bool has_rates);

}  // namespace platen
