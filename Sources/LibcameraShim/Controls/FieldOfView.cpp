#include "FieldOfView.hpp"

#include <libcamera/property_ids.h>

#include <algorithm>
#include <cmath>

namespace platen {
namespace {

using libcamera::Rectangle;
using libcamera::Size;

// With more zoom a picture has too few pixels left to be of use.
constexpr double most_zoom = 16;

Rectangle centered(const Rectangle &outer, double width, double height) {
  const auto columns = static_cast<unsigned int>(std::max(1.0, std::floor(width)));
  const auto rows = static_cast<unsigned int>(std::max(1.0, std::floor(height)));
  return Rectangle(outer.x + static_cast<int>((outer.width - columns) / 2),
                   outer.y + static_cast<int>((outer.height - rows) / 2), columns, rows);
}

}  // namespace

Rectangle shown_of(const Rectangle &field, const Size &stream) {
  const double ratio = static_cast<double>(stream.width) / stream.height;
  return centered(field, std::min<double>(field.width, field.height * ratio),
                 std::min<double>(field.height, field.width / ratio));
}

std::optional<FieldOfView> FieldOfView::of(const CameraFacts &camera, const Size &stream) {
  const ListedControls listed(camera.controls);
  if (!listed.has("ScalerCrop", libcamera::ControlTypeRectangle))
    return std::nullopt;
  // The property is empty until the camera has been configured; until then only proportions matter.
  Rectangle sensor =
      camera.properties.get(libcamera::properties::ScalerCropMaximum).value_or(Rectangle());
  if (sensor.isNull())
    sensor = Rectangle(
        camera.properties.get(libcamera::properties::PixelArraySize).value_or(Size()));
  if (sensor.isNull())
    return std::nullopt;
  FieldOfView field;
  field.whole_ = shown_of(sensor, stream.isNull() ? sensor.size() : stream);
  field.smallest_ = listed.smallest("ScalerCrop");
  return field;
}

double FieldOfView::zoom_maximum() const {
  double most = most_zoom;
  if (smallest_.width > 0)
    most = std::min(most, static_cast<double>(whole_.width) / smallest_.width);
  if (smallest_.height > 0)
    most = std::min(most, static_cast<double>(whole_.height) / smallest_.height);
  return std::max(1.0, most);
}

Rectangle FieldOfView::cropped(double zoom) const {
  return centered(whole_, whole_.width / zoom, whole_.height / zoom);
}

double FieldOfView::zoom(const Rectangle &crop) const {
  return crop.width ? std::max(1.0, static_cast<double>(whole_.width) / crop.width) : 1.0;
}

}  // namespace platen
