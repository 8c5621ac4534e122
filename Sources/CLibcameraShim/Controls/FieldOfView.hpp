// Which part of the sensor a zoom shows.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/geometry.h>

#include <optional>

#include "ListedControls.hpp"

namespace platen {

/// The largest part of a rectangle that has a stream's proportions, in its middle.
libcamera::Rectangle shown_of(const libcamera::Rectangle &field, const libcamera::Size &stream);

/// The field of view of a stream: the largest part of the sensor with the stream's proportions.
///
/// ScalerCrop may be any rectangle and is scaled to the stream, so one with other proportions
/// would show circles as ellipses.
class FieldOfView {
 public:
  /// Nothing when the camera has no ScalerCrop, or does not say how large its sensor is. An empty
  /// size stands for the sensor's own proportions.
  static std::optional<FieldOfView> of(
      const CameraFacts &camera, const libcamera::Size &stream);

  /// The most by which it can be narrowed, 1 or more.
  double zoom_maximum() const;

  /// The part that is shown with a zoom of 1 or more.
  libcamera::Rectangle cropped(double zoom) const;

  /// The zoom that a part amounts to.
  double zoom(const libcamera::Rectangle &crop) const;

 private:
  libcamera::Rectangle whole_;
  libcamera::Size smallest_;
};

}  // namespace platen
