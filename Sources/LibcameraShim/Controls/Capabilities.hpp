// The capabilities of a camera.
#pragma once

#include <libcamera/base/span.h>
#include <libcamera/camera.h>

#include "ListedControls.hpp"
#include "platen_camera_controls.h"

namespace platen {

/// Returns the capabilities of a camera, with the limits for a stream.
platen_camera_capabilities capabilities_of(
    const CameraFacts &camera, const libcamera::Size &stream);

/// Returns the controls of the image among wanted controls.
libcamera::Span<const platen_camera_image_control> image_of(const platen_camera_controls &wanted);

/// Throws ENOTSUP, naming the control, for a mode that a camera lacks; limits are not checked.
void require_modes(const platen_camera_capabilities &has, const platen_camera_controls &wanted);

/// Throws ENOTSUP, naming the control, for a value beyond a camera's limits.
void require_limits(const platen_camera_capabilities &has, const platen_camera_controls &wanted);

}  // namespace platen
