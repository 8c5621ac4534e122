#include "FormatChoice.hpp"

#include <libcamera/formats.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "../Entry/Failure.hpp"

namespace platen {

using libcamera::CameraConfiguration;
using libcamera::ColorSpace;
using libcamera::PixelFormat;
using libcamera::Size;
using libcamera::StreamConfiguration;

bool is_rgb(const PixelFormat &format) {
  return format == libcamera::formats::RGB888 || format == libcamera::formats::BGR888;
}

namespace {

/// The bytes a second that pass a USB 2 cable.
constexpr double usb_bytes_a_second = 24e6;

constexpr int64_t usual_frame_ns = 33'333'333;

/// Returns whether raw pictures pass a USB 2 cable less often than wanted.
bool is_slow_at_usb(const Size &size, int64_t wanted_frame_ns) {
  const int64_t frame_ns = wanted_frame_ns > 0 ? wanted_frame_ns : usual_frame_ns;
  return 2e9 * size.width * size.height > usb_bytes_a_second * static_cast<double>(frame_ns);
}

int64_t distance(const Size &one, const Size &other) {
  return std::abs(static_cast<int64_t>(one.width) - static_cast<int64_t>(other.width)) +
         std::abs(static_cast<int64_t>(one.height) - static_cast<int64_t>(other.height));
}

bool validate(CameraConfiguration &configuration, const PixelFormat &format, const Size &size,
              uint32_t buffers) {
  StreamConfiguration &stream = configuration.at(0);
  stream.pixelFormat = format;
  stream.size = size;
  stream.bufferCount = buffers;
  stream.stride = 0;
  stream.frameSize = 0;
  // JFIF's colors for JPEG; the camera's choice is read back.
  if (is_rgb(format))
    stream.colorSpace.reset();
  else
    stream.colorSpace = ColorSpace::Sycc;
  return configuration.validate() != CameraConfiguration::Invalid &&
         stream.pixelFormat == format;
}

/// Validates the wanted size, and the closest listed size when that comes nearer.
bool validate_nearest(CameraConfiguration &configuration, const PixelFormat &format,
                      const Size &wanted, uint32_t buffers) {
  if (!validate(configuration, format, wanted, buffers))
    return false;
  const Size first = configuration.at(0).size;
  const std::vector<Size> listed = configuration.at(0).formats().sizes(format);
  if (first == wanted || listed.empty())
    return true;
  const Size nearest = *std::min_element(
      listed.begin(), listed.end(), [&](const Size &one, const Size &other) {
        return distance(one, wanted) < distance(other, wanted);
      });
  if (distance(nearest, wanted) >= distance(first, wanted))
    return true;
  if (validate(configuration, format, nearest, buffers) &&
      distance(configuration.at(0).size, wanted) < distance(first, wanted))
    return true;
  return validate(configuration, format, first, buffers);
}

/// An available format, and its distance from the wanted size.
struct Candidate {
  PixelFormat format;
  int64_t distance;
  bool is_slow;

  bool is_better_than(const Candidate &other) const {
    return distance != other.distance ? distance < other.distance : !is_slow && other.is_slow;
  }
};

}  // namespace

void choose_format(CameraConfiguration &configuration, const platen_camera_request &request,
                   uint32_t buffers, bool has_rates) {
  const std::vector<PixelFormat> offered = configuration.at(0).formats().pixelformats();
  const Size wanted(request.width, request.height);
  std::optional<Candidate> best;
  for (uint32_t index = 0; index < request.format_count; index++) {
    const PixelFormat format(request.formats[index]);
    if (!offered.empty() && std::find(offered.begin(), offered.end(), format) == offered.end())
      continue;
    if (!validate_nearest(configuration, format, wanted, buffers))
      continue;
    const Size size = configuration.at(0).size;
    const bool is_slow = !has_rates && format != libcamera::formats::MJPEG &&
                         is_slow_at_usb(size, request.frame_duration_ns);
    const Candidate candidate = {format, distance(size, wanted), is_slow};
    if (!best || candidate.is_better_than(*best))
      best = candidate;
  }
  if (best && validate_nearest(configuration, best->format, wanted, buffers))
    return;
  std::string cause = "the camera has only";
  for (const PixelFormat &format : offered)
    cause += " " + format.toString();
  throw Failure{-ENOTSUP, cause};
}

}  // namespace platen
