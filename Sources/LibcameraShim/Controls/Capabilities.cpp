#include "Capabilities.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "../Entry/Failure.hpp"
#include "Choices.hpp"
#include "FieldOfView.hpp"
#include "ListedControls.hpp"

namespace platen {
namespace {

using libcamera::ControlTypeFloat;

std::string quoted(double value) {
  char text[32] = {};
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

void require_within(const Number &number, double value, const platen_camera_range &range) {
  auto shown = [&](double some) { return quoted(some / number.unit) + number.unit_name; };
  const std::string start =
      std::string(number.article) + " " + number.noun + " of " + shown(value);
  const bool is_zero = number.can_be_zero && value == 0 && range.minimum <= 0;
  if (!std::isfinite(value) || (value <= 0 && !is_zero))
    throw Failure{-ENOTSUP, start + " is none"};
  if (range.maximum >= range.minimum && (value < range.minimum || value > range.maximum))
    throw Failure{-ENOTSUP, start + " is not within " + quoted(range.minimum / number.unit) +
                                "..." + shown(range.maximum)};
}

void require_image(const platen_camera_image_control &control, const platen_camera_range &range) {
  const std::string start = "\"" + std::string(control.word) + "\" of " + quoted(control.value);
  if (!std::isfinite(control.value))
    throw Failure{-ENOTSUP, start + " is none"};
  // libcamera's numbers are of single precision.
  const auto value = static_cast<float>(control.value);
  if (range.maximum >= range.minimum && (value < static_cast<float>(range.minimum) ||
                                         value > static_cast<float>(range.maximum)))
    throw Failure{-ENOTSUP, start + " is not within " + quoted(range.minimum) + "..." +
                                quoted(range.maximum)};
}

/// Returns a camera's control that is one real number; none when the camera lacks it.
const platen_camera_real_control *find(const platen_camera_capabilities &has, std::string_view name) {
  const auto *end = has.real + has.real_count;
  const auto *found = std::find_if(has.real, end, [&](const auto &real) { return real.name == name; });
  return found == end ? nullptr : found;
}

/// Returns the word of a camera that is wanted; none when the camera lacks it.
const platen_camera_offer *find(
    const platen_camera_capabilities &has, const platen_camera_choice &wanted) {
  const auto *end = has.offers + has.offer_count;
  const auto *found = std::find_if(has.offers, end, [&](const auto &offer) {
    return std::string_view(offer.control) == wanted.control &&
           std::string_view(offer.word) == wanted.word;
  });
  return found == end ? nullptr : found;
}

/// Calls a function with each wanted number, and with its range if the camera has it.
template <typename Call>
void for_each_number(const platen_camera_capabilities &has, const platen_camera_controls &wanted,
                     Call call) {
  for (const Choice &choice : all_choices()) {
    const auto *word = choice_of(wanted, choice.control);
    const auto *offer = word && word->word == choice.word ? find(has, *word) : nullptr;
    if (!offer)
      continue;
    const auto count = std::min<uint32_t>(word->number_count, PLATEN_CAMERA_NUMBERS_MAX);
    for (uint32_t index = 0; index < count; index++)
      call(choice.numbers[index], word->numbers[index],
           index < offer->number_count ? &offer->ranges[index] : nullptr);
  }
}

bool is_zoomed(const platen_camera_controls &wanted) { return wanted.zoom != 0 && wanted.zoom != 1; }

}  // namespace

libcamera::Span<const platen_camera_image_control> image_of(const platen_camera_controls &wanted) {
  return {wanted.image, std::min<size_t>(wanted.image_count, PLATEN_CAMERA_IMAGE_CONTROLS_MAX)};
}

platen_camera_capabilities capabilities_of(
    const CameraFacts &camera, const libcamera::Size &stream) {
  const ListedControls listed(camera.controls);
  platen_camera_capabilities has = {};
  auto scaled = [](platen_camera_range range, double scale) {
    return platen_camera_range{range.minimum * scale, range.maximum * scale};
  };
  for (const Choice &choice : all_choices()) {
    if (!choice.is_offered(listed))
      continue;
    auto &offer = has.offers[has.offer_count++];
    choice.control.copy(offer.control, sizeof offer.control - 1);
    choice.word.copy(offer.word, sizeof offer.word - 1);
    for (const Number &number : choice.numbers)
      if (number.control && listed.has(number.control, number.type))
        offer.ranges[offer.number_count++] =
            number.type == libcamera::ControlTypeRectangle
                ? platen_camera_range{0, 1}
                : scaled(listed.range(number.control, number.type), number.scale);
  }
  const auto field = FieldOfView::of(camera, stream);
  has.zoom_maximum = field ? field->zoom_maximum() : 1;
  has.frame_duration_ns =
      scaled(listed.range("FrameDurationLimits", libcamera::ControlTypeInteger64), 1000);
  for (const std::string &name : listed.reals()) {
    // Names that are longer than any known one are not offered.
    if (name.size() >= PLATEN_CAMERA_CONTROL_NAME_MAX ||
        has.real_count == PLATEN_CAMERA_REAL_CONTROLS_MAX)
      continue;
    auto &real = has.real[has.real_count++];
    std::copy(name.begin(), name.end(), real.name);
    real.range = listed.range(name, ControlTypeFloat);
  }
  return has;
}

void require_modes(const platen_camera_capabilities &has, const platen_camera_controls &wanted) {
  for (const auto &choice : choices_of(wanted))
    if (!find(has, choice))
      throw Failure{-ENOTSUP, std::string("it has no ") + choice.control + " \"" + choice.word + "\""};
  if (is_zoomed(wanted) && has.zoom_maximum <= 1)
    throw Failure{-ENOTSUP, "it has no video zoom"};
  for_each_number(has, wanted, [](const Number &number, double, const auto *range) {
    if (!range)
      throw Failure{-ENOTSUP, std::string("it has no control of the ") + number.noun};
  });
  for (const auto &control : image_of(wanted))
    if (control.is_set && !find(has, control.name))
      throw Failure{-ENOTSUP, std::string("it has no image control \"") + control.word + "\""};
}

void require_limits(const platen_camera_capabilities &has, const platen_camera_controls &wanted) {
  if (is_zoomed(wanted))
    require_within({nullptr, libcamera::ControlTypeNone, "a", "video zoom factor"}, wanted.zoom,
                   {1, has.zoom_maximum});
  for_each_number(has, wanted, [](const Number &number, double value, const auto *range) {
    require_within(number, value, *range);
  });
  for (const auto &control : image_of(wanted))
    if (const auto *real = find(has, control.name); real && control.is_set)
      require_image(control, real->range);
}

}  // namespace platen
