// libcamera's report of the controls that a frame was taken with.
#pragma once

#include <libcamera/controls.h>

#include <optional>

#include "FieldOfView.hpp"
#include "platen_camera.h"

namespace platen {

/// Adds the states of the automatics, the colors, the focus and the crop to a frame.
void describe_controls(const libcamera::ControlList &metadata,
                       const std::optional<FieldOfView> &field, platen_camera_frame_info &info);

}  // namespace platen
