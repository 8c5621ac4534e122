// What a camera can be asked for.
#pragma once

#include <libcamera/camera.h>

#include "ListedControls.hpp"
#include "platen_camera_controls.h"

namespace platen {

/// Says what a camera has, and with which limits for a stream.
platen_camera_capabilities capabilities_of(
    const CameraFacts &camera, const libcamera::Size &stream);

/// Throws ENOTSUP, naming the control, for what a camera has not; its limits are left aside.
void require_modes(const platen_camera_capabilities &has, const platen_camera_controls &wanted);

/// Throws ENOTSUP, naming the control, for what is beyond a camera's limits.
void require_limits(const platen_camera_capabilities &has, const platen_camera_controls &wanted);

}  // namespace platen
