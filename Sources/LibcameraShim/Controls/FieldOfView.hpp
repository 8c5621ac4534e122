// The part of the sensor that a zoom shows.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/geometry.h>

#include <optional>

#include "ListedControls.hpp"

namespace platen {

/// Returns the largest centered part of a rectangle with a stream's proportions.
libcamera::Rectangle shown_of(const libcamera::Rectangle &field, const libcamera::Size &stream);

/// The field of view of a stream: the largest part of the sensor with the stream's proportions.
///
/// ScalerCrop may be any rectangle and is scaled to the stream, so a crop with other proportions
/// would show circles as ellipses.
class FieldOfView {
 public:
  /// Returns the field; empty when the camera has no ScalerCrop or does not report its sensor's
  /// size.
  ///
  /// An empty size means the sensor's own proportions.
  static std::optional<FieldOfView> of(
      const CameraFacts &camera, const libcamera::Size &stream);

  /// Returns the maximum zoom, 1 or more.
  double zoom_maximum() const;

  /// Returns the part that is shown with a zoom of 1 or more.
  libcamera::Rectangle cropped(double zoom) const;

  /// Returns the zoom that a part amounts to.
  double zoom(const libcamera::Rectangle &crop) const;

 private:
  libcamera::Rectangle whole_;
  libcamera::Size smallest_;
};

}  // namespace platen
