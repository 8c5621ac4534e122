// Read from raspberrypi/libcamera v0.7.1: src/libcamera/pipeline/rpi/common/pipeline_base.cpp:160-304,
// 391-508 and 927-981, vc4/vc4.cpp:460-526, pisp/pisp.cpp:1198-1301; the choice of the mode is the same
// in v0.0.3's src/libcamera/pipeline/raspberrypi/raspberrypi.cpp:98-151.
#include "CsiConfiguration.hpp"

#include <libcamera/formats.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace picameras {
namespace {

namespace formats = libcamera::formats;
using libcamera::ColorSpace;
using libcamera::PixelFormat;
using libcamera::Size;
using libcamera::SizeRange;
using libcamera::StreamConfiguration;
using libcamera::StreamRole;

unsigned int aligned(unsigned int value, unsigned int to) { return (value + to - 1) / to * to; }

double score(double desired, double actual) {
  double difference = desired - actual;
  if (difference < 0)
    difference = -difference / 8;
  return actual == desired ? difference : difference * 2;
}

const std::vector<PixelFormat> &processed_formats() {
  static const std::vector<PixelFormat> listed = {
      formats::NV21,   formats::YUV420, formats::NV12, formats::YVU420, formats::XBGR8888,
      formats::BGR888, formats::RGB888, formats::XRGB8888, formats::YVYU, formats::YUYV,
      formats::VYUY,   formats::UYVY};
  return listed;
}

bool is_planar(const PixelFormat &format) {
  return format == formats::YUV420 || format == formats::YVU420;
}

bool is_12_bits_a_pixel(const PixelFormat &format) {
  return is_planar(format) || format == formats::NV12 || format == formats::NV21;
}

unsigned int stride_of(const PixelFormat &format, unsigned int width, bool is_pisp) {
  if (is_planar(format))
    return aligned(width, is_pisp ? 128 : 32);
  if (is_12_bits_a_pixel(format))
    return aligned(width, is_pisp ? 64 : 32);
  if (format == formats::RGB888 || format == formats::BGR888)
    return is_pisp ? aligned(width * 3, 64) : aligned(width, 32) * 3;
  const bool is_32_bits = format == formats::XRGB8888 || format == formats::XBGR8888;
  return aligned(width * (is_32_bits ? 4 : 2), 64);
}

unsigned int depth_of(const Sensor &sensor, const PixelFormat &format) {
  for (const std::string &order : {sensor.order, std::string("BGGR")}) {
    for (const Mode &mode : sensor.modes) {
      if (packed(order, mode.bit_depth) == format)
        return mode.bit_depth;
    }
  }
  return 16;
}

}  // namespace

const Mode &best_mode(const Sensor &sensor, const Size &size, unsigned int bit_depth) {
  const Mode *best = nullptr;
  double lowest = std::numeric_limits<double>::max();
  for (const Mode &mode : sensor.modes) {
    double penalty = score(size.width, mode.size.width) + score(size.height, mode.size.height);
    penalty += 1500 * score(static_cast<double>(size.width) / size.height,
                            static_cast<double>(mode.size.width) / mode.size.height);
    penalty += 500.0 * std::abs(static_cast<int>(mode.bit_depth) - static_cast<int>(bit_depth));
    if (penalty <= lowest) {
      lowest = penalty;
      best = &mode;
    }
  }
  return *best;
}

void CsiConfiguration::add(StreamRole role) {
  const bool is_raw_wanted = role == StreamRole::Raw;
  std::map<PixelFormat, std::vector<SizeRange>> offered;
  if (is_raw_wanted) {
    for (const Mode &mode : sensor_.modes)
      offered[packed(sensor_.order, mode.bit_depth)].push_back(SizeRange(mode.size));
  } else {
    const Size least = is_pisp_ ? Size(32, 32) : Size(64, 64);
    for (const PixelFormat &format : processed_formats())
      offered[format] = {SizeRange(least, sensor_.active, 2, 2)};
  }
  StreamConfiguration stream{libcamera::StreamFormats(offered)};
  stream.size = sensor_.active;
  stream.stride = stream.frameSize = 0;
  switch (role) {
    case StreamRole::Raw:
      stream.pixelFormat = packed(sensor_.order, best_mode(sensor_, sensor_.active, 12).bit_depth);
      stream.bufferCount = 2;
      stream.colorSpace = ColorSpace::Raw;
      break;
    case StreamRole::StillCapture:
      stream.pixelFormat = formats::YUV420;
      stream.bufferCount = 1;
      stream.colorSpace = ColorSpace::Sycc;
      break;
    case StreamRole::Viewfinder:
      stream.pixelFormat = formats::XRGB8888;
      stream.size = Size(800, 600);
      stream.bufferCount = 4;
      stream.colorSpace = ColorSpace::Sycc;
      break;
    default:
      stream.pixelFormat = formats::YUV420;
      stream.size = Size(1920, 1080);
      stream.bufferCount = 4;
      stream.colorSpace = ColorSpace::Rec709;
      break;
  }
  addConfiguration(stream);
}

CsiConfiguration::Status CsiConfiguration::validate() {
  StreamConfiguration *raw = nullptr;
  std::vector<StreamConfiguration *> processed;
  for (StreamConfiguration &stream : config_) {
    if (!is_raw(stream.pixelFormat))
      processed.push_back(&stream);
    else if (raw)
      return Invalid;
    else
      raw = &stream;
  }
  if (config_.empty() || processed.size() > 2)
    return Invalid;
  Size largest;
  for (const StreamConfiguration *stream : processed)
    largest = std::max(largest, stream->size);
  mode_ = raw ? &best_mode(sensor_, raw->size, depth_of(sensor_, raw->pixelFormat))
              : &best_mode(sensor_, largest, 12);
#if LIBCAMERA_VERSION_MAJOR > 0 || LIBCAMERA_VERSION_MINOR >= 2
  if (sensorConfig) {
    if (!sensorConfig->isValid())
      return Invalid;
    mode_ = &best_mode(sensor_, sensorConfig->outputSize, sensorConfig->bitDepth);
    if (mode_->bit_depth != sensorConfig->bitDepth || mode_->size != sensorConfig->outputSize)
      return Invalid;
  }
#endif
  bool is_adjusted = turn();
  is_adjusted |= raw && adjust_raw(*raw);
  is_adjusted |= share_color_space(processed);
  for (StreamConfiguration *stream : processed)
    is_adjusted |= adjust_processed(*stream, largest);
  if (sensor_.widens_rows && processed.size() > 1) {
    processed[0]->stride += 128;
    processed[0]->frameSize += 128 * processed[0]->size.height / 2 * 3;
  }
  return is_adjusted ? Adjusted : Valid;
}

/// Applies the rotation; a sensor can flip its readout, but cannot turn a picture by a quarter.
bool CsiConfiguration::turn() {
#if LIBCAMERA_VERSION_MAJOR > 0 || LIBCAMERA_VERSION_MINOR >= 2
  const auto before = orientation;
  if (sensor_.rotation % 180 != 0)
    orientation = sensor_.rotation == 90 ? libcamera::Orientation::Rotate90 : libcamera::Orientation::Rotate270;
  else if (sensor_.rotation == 180 && !sensor_.has_flips)
    orientation = libcamera::Orientation::Rotate180;
  return orientation != before;
#else
  bool is_known = false;
  const auto mounting = libcamera::transformFromRotation(sensor_.rotation, &is_known);
  const auto needed = transform * mounting;
  const bool is_quarter = !!(needed & libcamera::Transform::Transpose);
  const bool is_refused = !sensor_.has_flips && !!needed;
  if (is_refused)
    transform = -mounting;
  else if (is_quarter)
    transform ^= libcamera::Transform::Transpose;
  return is_quarter || is_refused;
#endif
}

/// Gives all processed streams the color space of the first one that names one, or else sYCC
/// (RPiCameraConfiguration::validateColorSpaces()).
bool CsiConfiguration::share_color_space(const std::vector<StreamConfiguration *> &processed) {
  ColorSpace shared = ColorSpace::Sycc;
  for (auto stream = processed.rbegin(); stream != processed.rend(); ++stream)
    shared = (*stream)->colorSpace.value_or(shared);
  bool is_adjusted = false;
  for (StreamConfiguration *stream : processed) {
    // No color space was no wish.
    is_adjusted |= stream->colorSpace.value_or(shared) != shared;
    stream->colorSpace = shared;
  }
  return is_adjusted;
}

bool CsiConfiguration::adjust_raw(StreamConfiguration &stream) const {
  const StreamConfiguration before = stream;
  // The sensor turns the picture, and its filter with it. A Pi 5 compresses samples where packed
  // ones are wanted, and gives 16 bits where the wanted ones are not packed.
  const std::string order = sensor_.rotation && sensor_.has_flips ? "BGGR" : sensor_.order;
  const bool is_compressed = is_pisp_ && stream.pixelFormat.modifier() != 0;
  stream.pixelFormat = is_pisp_ ? of_pisp(order, is_compressed) : packed(order, mode_->bit_depth);
  stream.size = mode_->size;
  const unsigned int bits = !is_pisp_ ? mode_->bit_depth : is_compressed ? 8 : 16;
  stream.stride = aligned(mode_->size.width * bits / 8, is_pisp_ ? 64 : 32);
  stream.frameSize = stream.stride * mode_->size.height;
  return stream.pixelFormat != before.pixelFormat || stream.size != before.size;
}

bool CsiConfiguration::adjust_processed(StreamConfiguration &stream, const Size &largest) const {
  const StreamConfiguration before = stream;
  const auto &offered = processed_formats();
  if (std::find(offered.begin(), offered.end(), stream.pixelFormat) == offered.end())
    stream.pixelFormat = formats::YUV420;
  const unsigned int least = is_pisp_ ? 32 : 64;
  stream.size.expandTo(Size(least, least)).boundTo(Size(16384, 16384)).boundTo(largest);
  if (is_pisp_) {
    // The ISP reduces a picture by a factor of 64 at most.
    const Size smallest(aligned(mode_->size.width / 64, 2), aligned(mode_->size.height / 64, 2));
    stream.size.expandTo(smallest);
  }
  stream.stride = stride_of(stream.pixelFormat, stream.size.width, is_pisp_);
  stream.frameSize = stream.stride * stream.size.height;
  if (is_12_bits_a_pixel(stream.pixelFormat))
    stream.frameSize = stream.frameSize / 2 * 3;
  return stream.pixelFormat != before.pixelFormat || stream.size != before.size;
}

}  // namespace picameras
