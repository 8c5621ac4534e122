// The controls of a camera, looked up by name at run time.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/controls.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platen_camera_controls.h"

namespace platen {

/// The controls that a camera lists, across libcamera's versions.
///
/// libcamera of Debian 12 has no ExposureTimeMode and later versions have no AeLocked;
/// distributions differ, too. Names and numbers of controls stay the same, so this class does not
/// depend on the headers. A control that the camera does not list must never be set.
class ListedControls {
 public:
  explicit ListedControls(const libcamera::ControlInfoMap &listed) : listed_(listed) {}

  /// Returns the number of a control that is listed with a type.
  std::optional<unsigned int> id(std::string_view name, libcamera::ControlType type) const;

  bool has(std::string_view name, libcamera::ControlType type) const {
    return find(name, type) != nullptr;
  }

  /// Returns whether a whole-number or boolean control takes a value.
  bool offers(std::string_view name, libcamera::ControlType type, int64_t value) const;

  /// Returns the limits of a numeric control.
  platen_camera_range range(std::string_view name, libcamera::ControlType type) const;

  /// Returns the default of a control that is one real number; none when it is not reported.
  std::optional<float> standard(std::string_view name) const;

  /// Returns the names of the controls that are one real number each.
  std::vector<std::string> reals() const;

  /// Returns the smallest rectangle that a control takes; empty when it is not reported.
  libcamera::Size smallest(std::string_view name) const;

 private:
  using Entry = std::pair<const libcamera::ControlId *const, libcamera::ControlInfo>;
  const Entry *find(std::string_view name, libcamera::ControlType type) const;

  const libcamera::ControlInfoMap &listed_;
};

/// The controls and properties of a camera; refers to the camera.
struct CameraFacts {
  const libcamera::ControlInfoMap &controls;
  const libcamera::ControlList &properties;

  CameraFacts(const libcamera::Camera &camera)
      : CameraFacts(camera.controls(), camera.properties()) {}
  CameraFacts(const libcamera::ControlInfoMap &listed, const libcamera::ControlList &said)
      : controls(listed), properties(said) {}
};

/// Returns the number of any control that this libcamera knows, for metadata; 0 for none.
unsigned int known_control(std::string_view name);

/// A range without limits.
constexpr platen_camera_range no_range = {1, 0};

}  // namespace platen
