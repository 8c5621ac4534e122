#include "RawChoice.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace platen {
namespace {

using libcamera::CameraConfiguration;
using libcamera::PixelFormat;
using libcamera::StreamConfiguration;
using libcamera::StreamRole;

constexpr uint32_t fourcc(char a, char b, char c, char d) {
  return static_cast<uint32_t>(a) | static_cast<uint32_t>(b) << 8 |
         static_cast<uint32_t>(c) << 16 | static_cast<uint32_t>(d) << 24;
}

// libcamera's include/linux/drm_fourcc.h: MIPI_FORMAT_MOD_CSI2_PACKED and
// PISP_FORMAT_MOD_COMPRESS_MODE1, which older versions lack.
constexpr uint64_t csi2_packed = uint64_t(0x0b) << 56 | 1;
constexpr uint64_t pisp_compressed = uint64_t(0x0c) << 56 | 1;

struct Samples {
  uint32_t fourcc;
  platen_camera_mosaic mosaic;
  uint32_t bit_depth;
};

// The same file: DRM_FORMAT_SRGGB8 and so on.
constexpr Samples samples[] = {
    {fourcc('R', 'G', 'G', 'B'), PLATEN_CAMERA_MOSAIC_RGGB, 8},
    {fourcc('B', 'A', '8', '1'), PLATEN_CAMERA_MOSAIC_BGGR, 8},
    {fourcc('G', 'R', 'B', 'G'), PLATEN_CAMERA_MOSAIC_GRBG, 8},
    {fourcc('G', 'B', 'R', 'G'), PLATEN_CAMERA_MOSAIC_GBRG, 8},
    {fourcc('R', 'G', '1', '0'), PLATEN_CAMERA_MOSAIC_RGGB, 10},
    {fourcc('B', 'G', '1', '0'), PLATEN_CAMERA_MOSAIC_BGGR, 10},
    {fourcc('B', 'A', '1', '0'), PLATEN_CAMERA_MOSAIC_GRBG, 10},
    {fourcc('G', 'B', '1', '0'), PLATEN_CAMERA_MOSAIC_GBRG, 10},
    {fourcc('R', 'G', '1', '2'), PLATEN_CAMERA_MOSAIC_RGGB, 12},
    {fourcc('B', 'G', '1', '2'), PLATEN_CAMERA_MOSAIC_BGGR, 12},
    {fourcc('B', 'A', '1', '2'), PLATEN_CAMERA_MOSAIC_GRBG, 12},
    {fourcc('G', 'B', '1', '2'), PLATEN_CAMERA_MOSAIC_GBRG, 12},
    {fourcc('R', 'G', '1', '4'), PLATEN_CAMERA_MOSAIC_RGGB, 14},
    {fourcc('B', 'G', '1', '4'), PLATEN_CAMERA_MOSAIC_BGGR, 14},
    {fourcc('B', 'A', '1', '4'), PLATEN_CAMERA_MOSAIC_GRBG, 14},
    {fourcc('G', 'B', '1', '4'), PLATEN_CAMERA_MOSAIC_GBRG, 14},
    {fourcc('R', 'G', 'B', '6'), PLATEN_CAMERA_MOSAIC_RGGB, 16},
    {fourcc('B', 'Y', 'R', '2'), PLATEN_CAMERA_MOSAIC_BGGR, 16},
    {fourcc('G', 'R', '1', '6'), PLATEN_CAMERA_MOSAIC_GRBG, 16},
    {fourcc('G', 'B', '1', '6'), PLATEN_CAMERA_MOSAIC_GBRG, 16},
    {fourcc('R', '8', ' ', ' '), PLATEN_CAMERA_MOSAIC_MONOCHROME, 8},
    {fourcc('R', '1', '0', ' '), PLATEN_CAMERA_MOSAIC_MONOCHROME, 10},
    {fourcc('R', '1', '2', ' '), PLATEN_CAMERA_MOSAIC_MONOCHROME, 12},
    {fourcc('R', '1', '6', ' '), PLATEN_CAMERA_MOSAIC_MONOCHROME, 16},
};

bool validate(CameraConfiguration &configuration, const CameraConfiguration &chosen) {
  StreamConfiguration &raw = configuration.at(1);
  raw.stride = 0;
  raw.frameSize = 0;
  if (configuration.validate() == CameraConfiguration::Invalid || configuration.size() != 2)
    return false;
  const StreamConfiguration &stream = configuration.at(0);
  return stream.pixelFormat == chosen.at(0).pixelFormat && stream.size == chosen.at(0).size;
}

/// Asks for samples without loss in place of compressed ones.
bool prefer_exact(CameraConfiguration &configuration, const CameraConfiguration &chosen) {
  StreamConfiguration &raw = configuration.at(1);
  const PixelFormat compressed = raw.pixelFormat;
  if (compressed.modifier() != pisp_compressed)
    return true;
  raw.pixelFormat = PixelFormat(compressed.fourcc());
  if (validate(configuration, chosen) && raw_form_of(raw.pixelFormat))
    return true;
  raw.pixelFormat = compressed;
  return validate(configuration, chosen);
}

}  // namespace

std::optional<platen_camera_raw> raw_form_of(const PixelFormat &format) {
  const auto *found = std::find_if(std::begin(samples), std::end(samples), [&](const Samples &one) {
    return one.fourcc == format.fourcc();
  });
  if (found == std::end(samples))
    return std::nullopt;
  platen_camera_raw raw = {};
  raw.mosaic = found->mosaic;
  raw.bit_depth = found->bit_depth;
  if (format.modifier() == csi2_packed && found->bit_depth < 16)
    raw.packing = PLATEN_CAMERA_PACKING_CSI2;
  else if (format.modifier() == pisp_compressed && found->bit_depth == 16)
    raw.packing = PLATEN_CAMERA_PACKING_PISP;
  else if (format.modifier() != 0)
    return std::nullopt;
  else  // Samples of 8 bits are bytes, as CSI-2 sends them.
    raw.packing = found->bit_depth == 8 ? PLATEN_CAMERA_PACKING_CSI2 : PLATEN_CAMERA_PACKING_WORDS;
  return raw;
}

std::optional<platen_camera_raw> raw_layout_of(const StreamConfiguration &stream) {
  auto raw = raw_form_of(stream.pixelFormat);
  if (!raw)
    return std::nullopt;
  raw->width = stream.size.width;
  raw->height = stream.size.height;
  raw->stride = stream.stride;
  return raw;
}

std::unique_ptr<CameraConfiguration> with_raw_stream(
    libcamera::Camera &camera, const SensorMode *mode, const CameraConfiguration &chosen,
    uint32_t buffers) {
  const std::vector<StreamRole> roles = {StreamRole::StillCapture, StreamRole::Raw};
  auto configuration = camera.generateConfiguration(roles);
  // A camera without the role may give one stream, and one that ignores it two processed ones.
  if (!configuration || configuration->size() != 2)
    return nullptr;
  leave_quarter_turns(camera, *configuration);
  StreamConfiguration &stream = configuration->at(0);
  stream.pixelFormat = chosen.at(0).pixelFormat;
  stream.size = chosen.at(0).size;
  stream.bufferCount = chosen.at(0).bufferCount;
  stream.colorSpace = chosen.at(0).colorSpace;
  StreamConfiguration &raw = configuration->at(1);
  if (!raw_form_of(raw.pixelFormat))
    return nullptr;
  if (mode) {
    ask_for(*configuration, *mode);
    raw.pixelFormat = mode->format;
    raw.size = mode->size;
  }
  raw.bufferCount = buffers;
  if (!validate(*configuration, chosen) || !prefer_exact(*configuration, chosen) ||
      !raw_layout_of(raw))
    return nullptr;
  return configuration;
}

}  // namespace platen
