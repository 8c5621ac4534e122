// The conversion of wanted controls to the controls of a camera's requests.
#pragma once

#include <libcamera/camera.h>

#include <utility>
#include <vector>

#include "FieldOfView.hpp"
#include "ListedControls.hpp"
#include "platen_camera_controls.h"

namespace platen {

/// The numbers of controls and their values.
using ControlValues = std::vector<std::pair<unsigned int, libcamera::ControlValue>>;

/// Sets values in a list.
inline void set(libcamera::ControlList &list, const ControlValues &values) {
  for (const auto &[id, value] : values)
    list.set(id, value);
}

/// The controls to set on a camera, in order.
///
/// libcamera takes the controls of a request in any order. Before 0.5, turning an automatic off
/// freezes its values, which would undo a value that came just before. So modes go with one request
/// and values with the next. Some pipelines ignore the controls of a start, so requests repeat
/// them.
struct ControlPlan {
  ControlValues start;                  // for Camera::start()
  std::vector<ControlValues> requests;  // for the next requests, one each

  /// Plans controls that the camera has.
  ///
  /// Throws ENOTSUP, naming the control, for one that is not listed or is beyond its limits.
  ControlPlan(const CameraFacts &camera, const platen_camera_controls &wanted,
              const libcamera::Size &stream);
};

}  // namespace platen
