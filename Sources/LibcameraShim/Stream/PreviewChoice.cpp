#include "PreviewChoice.hpp"

#include <libcamera/formats.h>

#include <algorithm>
#include <vector>

namespace platen {
namespace {

using libcamera::CameraConfiguration;
using libcamera::PixelFormat;
using libcamera::Size;
using libcamera::StreamConfiguration;
using libcamera::StreamRole;

// The colors of a Raspberry Pi's frames are denoised with the help of a second picture, which has
// to be YUV420 (platformConfigure() in src/libcamera/pipeline/rpi/vc4/vc4.cpp).
constexpr PixelFormat formats[] = {libcamera::formats::YUV420, libcamera::formats::NV12};

/// The difference of two pictures' shapes that nobody sees.
constexpr double same_shape = 0.01;

/// Returns the size of a preview; its sides are even, as its chroma needs them.
Size wanted_size(const Size &frame, uint32_t width) {
  const uint32_t columns = std::min(width, frame.width / 2) / 2 * 2;
  const double rows = static_cast<double>(frame.height) * columns / frame.width;
  return Size(columns, static_cast<uint32_t>(rows / 2 + 0.5) * 2);
}

bool is_preview_of(const Size &frame, const Size &preview) {
  if (preview.width < 2 || preview.height < 2 || preview.width > frame.width / 2 ||
      preview.height > (frame.height + 1) / 2)
    return false;
  const double shape = static_cast<double>(preview.width) * frame.height;
  const double other = static_cast<double>(frame.width) * preview.height;
  return std::max(shape, other) <= std::min(shape, other) * (1 + same_shape);
}

bool is_same(const StreamConfiguration &one, const StreamConfiguration &other) {
  return one.pixelFormat == other.pixelFormat && one.size == other.size &&
         one.stride == other.stride && one.frameSize == other.frameSize &&
         one.bufferCount == other.bufferCount && one.colorSpace == other.colorSpace;
}

/// Copies the chosen streams, and adds the wanted preview.
void ask_for(CameraConfiguration &configuration, const CameraConfiguration &chosen,
             const PixelFormat &format, const Size &size, uint32_t buffers) {
  for (unsigned int index = 0; index < chosen.size(); index++) {
    StreamConfiguration &stream = configuration.at(index);
    stream.pixelFormat = chosen.at(index).pixelFormat;
    stream.size = chosen.at(index).size;
    stream.bufferCount = chosen.at(index).bufferCount;
    stream.colorSpace = chosen.at(index).colorSpace;
    stream.stride = stream.frameSize = 0;
  }
  StreamConfiguration &preview = preview_stream_of(configuration);
  preview.pixelFormat = format;
  preview.size = size;
  preview.bufferCount = buffers;
  preview.colorSpace = chosen.at(0).colorSpace;
  preview.stride = preview.frameSize = 0;
}

}  // namespace

StreamConfiguration &preview_stream_of(CameraConfiguration &configuration) {
  return configuration.at(static_cast<unsigned int>(configuration.size() - 1));
}

std::unique_ptr<CameraConfiguration> with_preview_stream(
    libcamera::Camera &camera, const SensorMode *mode, const CameraConfiguration &chosen,
    uint32_t width, uint32_t buffers) {
  std::vector<StreamRole> roles = {StreamRole::StillCapture};
  if (chosen.size() > 1)
    roles.push_back(StreamRole::Raw);
  roles.push_back(StreamRole::Viewfinder);
  const Size frame = chosen.at(0).size;
  const Size wanted = wanted_size(frame, width);
  if (!is_preview_of(frame, wanted))
    return nullptr;
  for (const PixelFormat &format : formats) {
    auto configuration = camera.generateConfiguration(roles);
    // A camera on a cable has one stream, however many are asked for.
    if (!configuration || configuration->size() != roles.size())
      return nullptr;
    leave_quarter_turns(camera, *configuration);
    if (mode)
      ask_for(*configuration, *mode);
    ask_for(*configuration, chosen, format, wanted, buffers);
    if (configuration->validate() == CameraConfiguration::Invalid ||
        configuration->size() != roles.size())
      continue;
    const StreamConfiguration &preview = preview_stream_of(*configuration);
    bool is_unchanged = preview.pixelFormat == format && is_preview_of(frame, preview.size);
    for (unsigned int index = 0; index < chosen.size(); index++)
      is_unchanged &= is_same(configuration->at(index), chosen.at(index));
    if (is_unchanged)
      return configuration;
  }
  return nullptr;
}

}  // namespace platen
