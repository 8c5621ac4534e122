#include "Negotiation.hpp"

#include <libcamera/formats.h>
#include <libcamera/property_ids.h>
#include <libcamera/version.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../Controls/FieldOfView.hpp"
#include "../Entry/Failure.hpp"
#include "FormatChoice.hpp"
#include "FrameDuration.hpp"
#include "PreviewChoice.hpp"
#include "RawChoice.hpp"

namespace platen {
namespace {

using libcamera::CameraConfiguration;
using libcamera::ColorSpace;
using libcamera::StreamConfiguration;
using libcamera::StreamRole;

// Three keep a Raspberry Pi's pipeline busy; one more covers a late thread.
constexpr uint32_t most_requests = 4;

// Where memory is short, leases are given up for this many frames in the ring: a press needs four
// at 30 frames a second, and three below.
constexpr uint32_t most_protected_ring = 4;
constexpr uint32_t least_protected_ring = 3;

void require_sensible(const platen_camera_request &request) {
  if (request.width == 0 || request.height == 0 || request.format_count == 0 ||
      request.format_count > PLATEN_CAMERA_FORMATS_MAX || request.ring_frames < 2 ||
      request.leased_frames < 1 || request.frame_duration_ns < 0)
    throw Failure{-EINVAL, "the wanted stream makes no sense"};
}

std::unique_ptr<CameraConfiguration> generate(libcamera::Camera &camera) {
  for (const StreamRole role :
       {StreamRole::StillCapture, StreamRole::VideoRecording, StreamRole::Viewfinder}) {
    // A vector converts to the type that each version takes.
    const std::vector<StreamRole> roles = {role};
    auto configuration = camera.generateConfiguration(roles);
    if (configuration && !configuration->empty()) {
      leave_quarter_turns(camera, *configuration);
      return configuration;
    }
  }
  throw Failure{-ENOTSUP, "libcamera offers no configuration for it"};
}

/// Returns a chosen configuration in a sensor mode; nothing when libcamera does not support it.
std::unique_ptr<CameraConfiguration> in_mode_of(libcamera::Camera &camera, const SensorMode &mode,
                                                const CameraConfiguration &chosen) {
  auto configuration = generate_with_mode(camera);
  if (!configuration)
    return nullptr;
  const StreamConfiguration &wanted = chosen.at(0);
  StreamConfiguration &stream = configuration->at(0);
  stream.pixelFormat = wanted.pixelFormat;
  stream.size = wanted.size;
  stream.bufferCount = wanted.bufferCount;
  stream.colorSpace = wanted.colorSpace;
  ask_for(*configuration, mode);
  const bool is_valid = configuration->validate() != CameraConfiguration::Invalid;
  return is_valid && stream.pixelFormat == wanted.pixelFormat && stream.size == wanted.size
             ? std::move(configuration)
             : nullptr;
}

platen_camera_color_space color_space_of(const StreamConfiguration &stream) {
  if (stream.pixelFormat == libcamera::formats::MJPEG)
    return PLATEN_CAMERA_COLOR_BT601_FULL;
  if (is_rgb(stream.pixelFormat) || !stream.colorSpace)
    return PLATEN_CAMERA_COLOR_UNSPECIFIED;
  const bool is_full = stream.colorSpace->range == ColorSpace::Range::Full;
  switch (stream.colorSpace->ycbcrEncoding) {
    case ColorSpace::YcbcrEncoding::Rec601:
      return is_full ? PLATEN_CAMERA_COLOR_BT601_FULL : PLATEN_CAMERA_COLOR_BT601_LIMITED;
    case ColorSpace::YcbcrEncoding::Rec709:
      return is_full ? PLATEN_CAMERA_COLOR_UNSPECIFIED : PLATEN_CAMERA_COLOR_BT709_LIMITED;
    default:
      return PLATEN_CAMERA_COLOR_UNSPECIFIED;
  }
}

/// Returns the clockwise degrees by which the picture still has to be turned.
///
/// They are not 0 when the sensor cannot compensate its mounting. The kernel reports the mounting
/// counterclockwise (V4L2_CID_CAMERA_SENSOR_ROTATION).
uint32_t rotation_left(const libcamera::Camera &camera, const CameraConfiguration &configuration) {
#if LIBCAMERA_VERSION_MAJOR > 0 || LIBCAMERA_VERSION_MINOR >= 2
  const bool is_upright = configuration.orientation == libcamera::Orientation::Rotate0;
#else
  const bool is_upright = configuration.transform == libcamera::Transform::Identity;
#endif
  const int rotation = camera.properties().get(libcamera::properties::Rotation).value_or(0);
  return is_upright ? 0 : static_cast<uint32_t>((360 - rotation % 360) % 360) / 90 * 90;
}

/// Returns whether a sensor exposes all rows at once; libcamera has no property for it.
bool has_global_shutter(const libcamera::Camera &camera) {
  const auto model = camera.properties().get(libcamera::properties::Model);
  if (!model)
    return false;
  const std::string name(*model);
  static constexpr std::string_view sensors[] = {"imx296", "ov9281", "ov9282", "ov7251"};
  return std::any_of(std::begin(sensors), std::end(sensors), [&](std::string_view sensor) {
    return name.find(sensor) != name.npos;
  });
}

}  // namespace

BufferShares::BufferShares(size_t count, uint32_t slots, const platen_camera_request &request)
    : buffers(static_cast<uint32_t>(count)) {
  requests = std::max(fewest_requests, std::min({most_requests, slots, buffers / 2}));
  const uint32_t kept = std::clamp(request.ring_frames, least_protected_ring, most_protected_ring);
  leases = std::max(1u, std::min(request.leased_frames, buffers > kept ? buffers - kept : 1));
  const uint32_t taken = std::max(requests, leases);
  ring = std::min(request.ring_frames, buffers > taken ? buffers - taken : 1);
}

uint32_t BufferShares::needed_by(const platen_camera_request &request) {
  // Of `leased_frames`, all but two are held while the ring must be whole: the one that is taken
  // from it now, and the preview's. The driver has two buffers at that time.
  const uint32_t taken = std::max(most_requests, request.leased_frames);
  const uint32_t kept = request.ring_frames + (request.wants_raw ? 1 : 0);
  return std::min<uint32_t>(taken + kept, PLATEN_CAMERA_BUFFERS_MAX);
}

void describe_timing(libcamera::Camera &camera, const SensorMode *expected, int64_t wanted_ns,
                     platen_camera_stream &stream) {
  auto range = FrameDurationRange::of(camera);
  if (range && expected && expected->shortest_frame_ns)
    range = FrameDurationRange{expected->shortest_frame_ns,
                               std::max(range->maximum_ns, expected->shortest_frame_ns)};
  stream.frame_duration_min_ns = range ? range->minimum_ns : 0;
  stream.frame_duration_max_ns = range ? range->maximum_ns : 0;
  stream.frame_duration_ns = range && wanted_ns ? range->clamped(wanted_ns) : wanted_ns;
  stream.is_paced = !range && wanted_ns > 0;
  // The shortest frame is the readout and the minimum blanking, a few percent more.
  stream.readout_duration_ns = range && !has_global_shutter(camera) ? range->minimum_ns : 0;
}

void describe_field(const libcamera::Camera &camera, const SensorModes &modes,
                    const SensorMode *expected, platen_camera_stream &stream) {
  const libcamera::Rectangle whole = modes.whole();
  if (whole.isNull())
    return;
  const libcamera::Rectangle field =
      expected ? expected->crop
               : camera.properties().get(libcamera::properties::ScalerCropMaximum).value_or(whole);
  const auto shown = shown_of(field, libcamera::Size(stream.width, stream.height));
  stream.sensor_width = whole.width;
  stream.sensor_height = whole.height;
  stream.shown_width = shown.width;
  stream.shown_height = shown.height;
}

Negotiated negotiate(libcamera::Camera &camera, const SensorModes &modes,
                     const platen_camera_request &request, platen_camera_memory expected_memory) {
  require_sensible(request);
  const uint32_t wanted_buffers = BufferShares::needed_by(request);
  const bool has_rates = FrameDurationRange::of(camera).has_value();
  auto configuration = generate(camera);
  choose_format(*configuration, request, wanted_buffers, has_rates);
  const SensorMode *mode = modes.best(configuration->at(0).size);
  bool has_raw = false;
  if (auto with_raw = request.wants_raw
                          ? with_raw_stream(camera, mode, *configuration, wanted_buffers)
                          : nullptr) {
    configuration = std::move(with_raw);
    has_raw = true;
  } else if (auto in_mode = mode ? in_mode_of(camera, *mode, *configuration) : nullptr) {
    configuration = std::move(in_mode);
  } else {
    mode = nullptr;
  }
  auto with_preview =
      request.preview_width
          ? with_preview_stream(camera, mode, *configuration, request.preview_width, wanted_buffers)
          : nullptr;
  const bool has_preview = with_preview != nullptr;
  if (has_preview)
    configuration = std::move(with_preview);
  const StreamConfiguration &got = configuration->at(0);
  Negotiated negotiated = {};
  negotiated.buffers = wanted_buffers;
  negotiated.has_raw = has_raw;
  platen_camera_stream &stream = negotiated.stream;
  stream.width = got.size.width;
  stream.height = got.size.height;
  stream.format = got.pixelFormat.fourcc();
  stream.stride = got.pixelFormat == libcamera::formats::MJPEG ? 0 : got.stride;
  stream.frame_size = got.frameSize;
  stream.color_space = color_space_of(got);
  stream.rotation = rotation_left(camera, *configuration);
  stream.buffer_count = negotiated.buffers;
  const BufferShares shares(negotiated.buffers, got.bufferCount, request);
  stream.ring_frames = shares.ring;
  stream.leased_frames = shares.leases;
  stream.memory = expected_memory;
  if (has_raw)
    stream.raw = raw_layout_of(configuration->at(1)).value_or(platen_camera_raw{});
  if (has_preview) {
    const StreamConfiguration &preview = preview_stream_of(*configuration);
    stream.preview = {preview.size.width, preview.size.height, preview.pixelFormat.fourcc(),
                      preview.stride, color_space_of(preview)};
  }
  describe_timing(camera, mode, request.frame_duration_ns, stream);
  describe_field(camera, modes, mode, stream);
  negotiated.configuration = std::move(configuration);
  return negotiated;
}

}  // namespace platen
