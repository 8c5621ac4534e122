// From what is asked of a camera to the controls of its requests.
#pragma once

#include <libcamera/camera.h>

#include <utility>
#include <vector>

#include "FieldOfView.hpp"
#include "ListedControls.hpp"
#include "platen_camera_controls.h"

namespace platen {

/// Numbers of controls and their values.
using ControlValues = std::vector<std::pair<unsigned int, libcamera::ControlValue>>;

/// Sets values in a list.
inline void set(libcamera::ControlList &list, const ControlValues &values) {
  for (const auto &[id, value] : values)
    list.set(id, value);
}

/// What to tell a camera, in which order.
///
/// libcamera takes the controls of a request in any order, and before 0.5 switching an automatic
/// off freezes what it has, which would undo a value that came just before. So modes go with one
/// request and values with the next. Some pipelines ignore what a start is given, so requests
/// repeat it.
struct ControlPlan {
  ControlValues start;                  // for Camera::start()
  std::vector<ControlValues> requests;  // for the next requests, one each

  /// Plans controls that the camera has.
  ///
  /// Throws ENOTSUP, naming the control, for what it does not list or what is beyond its limits.
  ControlPlan(const CameraFacts &camera, const platen_camera_controls &wanted,
              const libcamera::Size &stream);
};

}  // namespace platen
