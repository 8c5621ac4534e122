// A camera at the CSI-2 port of a Raspberry Pi: VC4 up to the Pi 4, PiSP from the Pi 5.
//
// Read from raspberrypi/libcamera v0.7.1, src/libcamera/pipeline/rpi/common/pipeline_base.cpp:556-596,
// 852-868 and 1509-1529, vc4/vc4.cpp:232-346, src/ipa/rpi/common/ipa_base.cpp:53-116 and 1564-1763.
#include <libcamera/control_ids.h>
#include <libcamera/property_ids.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "CsiConfiguration.hpp"
#include "Pipeline.hpp"

namespace picameras {
namespace {

namespace controls = libcamera::controls;
namespace properties = libcamera::properties;
using libcamera::CameraConfiguration;
using libcamera::ControlInfo;
using libcamera::ControlList;
using libcamera::Rectangle;
using libcamera::Size;
using libcamera::Span;

constexpr int64_t usual_frame_us = 33333;
constexpr uint64_t statistics_bytes = 64 << 10;
constexpr unsigned int adjusting_frames = 20;  // after a start

class Csi final : public Pipeline {
 public:
  Csi(Sensor sensor, bool is_pisp) : sensor_(std::move(sensor)), is_pisp_(is_pisp) {}

  std::string id() const override {
    char path[96];
    std::snprintf(path, sizeof path, "/base/%s/%s@%x",
                  is_pisp_ ? "axi/pcie@1000120000/rp1/i2c@88000" : "soc/i2c0mux/i2c@1",
                  sensor_.model.c_str(), sensor_.address);
    return path;
  }

  ControlList properties() const override {
    ControlList list(properties::properties);
    list.set(properties::Model, sensor_.model);
    list.set(properties::Location, properties::CameraLocationExternal);
    list.set(properties::Rotation, sensor_.rotation);
    list.set(properties::PixelArraySize, sensor_.active);
    const Rectangle active[] = {Rectangle(sensor_.active)};
    list.set(properties::PixelArrayActiveAreas, Span<const Rectangle>(active));
    list.set(properties::ScalerCropMaximum, mode_ ? mode_->crop : Rectangle());
    return list;
  }

  libcamera::ControlInfoMap controls() const override {
    const int64_t shortest = mode_ ? mode_->shortest_frame_us : 33333;
    const int64_t longest = mode_ ? mode_->longest_frame_us : 120000;
    const Rectangle largest = mode_ ? mode_->crop : Rectangle(65535, 65535, 65535, 65535);
    const Rectangle smallest = mode_ ? Rectangle(mode_->crop.x, mode_->crop.y, 64, 64) : Rectangle();
    const auto longest_exposure = static_cast<int32_t>(std::min<int64_t>(longest, 2'000'000'000));
    libcamera::ControlInfoMap::Map listed = {
        {&controls::AeEnable, ControlInfo(false, true)},
        {&controls::ExposureTime, ControlInfo(75, longest_exposure)},
        {&controls::AnalogueGain, ControlInfo(1.0f, sensor_.highest_gain)},
        {&controls::AwbEnable, ControlInfo(false, true)},
        {&controls::ColourGains, ControlInfo(0.0f, 32.0f)},
        {&controls::Brightness, ControlInfo(-1.0f, 1.0f, 0.0f)},
        {&controls::Contrast, ControlInfo(0.0f, 32.0f, 1.0f)},
        {&controls::Saturation, ControlInfo(0.0f, 32.0f, 1.0f)},
        {&controls::Sharpness, ControlInfo(0.0f, 16.0f, 1.0f)},
        {&controls::ExposureValue, ControlInfo(-8.0f, 8.0f, 0.0f)},
        {&controls::ScalerCrop, ControlInfo(smallest, largest, largest)},
        {&controls::FrameDurationLimits, ControlInfo(shortest, longest, usual_frame_us)}};
    if (sensor_.has_lens) {
      listed[&controls::AfMode] = ControlInfo(static_cast<int32_t>(controls::AfModeManual),
                                              static_cast<int32_t>(controls::AfModeContinuous));
      listed[&controls::AfMetering] =
          ControlInfo(static_cast<int32_t>(controls::AfMeteringAuto),
                      static_cast<int32_t>(controls::AfMeteringWindows));
      listed[&controls::AfWindows] = ControlInfo(
          Rectangle(), Rectangle(65535, 65535, 65535, 65535), Rectangle());
      listed[&controls::AfTrigger] = ControlInfo(static_cast<int32_t>(controls::AfTriggerStart),
                                                 static_cast<int32_t>(controls::AfTriggerCancel));
      listed[&controls::LensPosition] = ControlInfo(0.0f, mode_ ? 15.0f : 32.0f, 1.0f);
    }
    return {std::move(listed), controls::controls};
  }

  std::unique_ptr<CameraConfiguration> generate(
      const std::vector<libcamera::StreamRole> &roles) const override {
    auto configuration = std::make_unique<CsiConfiguration>(sensor_, is_pisp_);
    for (const libcamera::StreamRole role : roles)
      configuration->add(role);
    return configuration;
  }

  int configure(const CameraConfiguration &configuration) override {
    mode_ = &static_cast<const CsiConfiguration &>(configuration).mode();
    const auto processed = std::count_if(configuration.begin(), configuration.end(), [](auto &stream) {
      return !is_raw(stream.pixelFormat);
    });
    paints_ = processed > 1;
    return 0;
  }

  uint64_t internal_memory(const CameraConfiguration &configuration) const override {
    uint64_t raw_buffers = 4;
    uint64_t output = 0;
    uint64_t second = 0;
    for (const libcamera::StreamConfiguration &stream : configuration) {
      if (is_raw(stream.pixelFormat)) {
        raw_buffers = std::max(2u, 4 - std::min(4u, stream.bufferCount));
      } else {
        second = std::min<uint64_t>(output, stream.frameSize);
        output = std::max<uint64_t>(output, stream.frameSize);
      }
    }
    // Without a second output, the processor has one of half the size for its denoising.
    if (second == 0)
      second = output / 4;
    // Behind an IOMMU, memory need not be contiguous.
    if (is_pisp_)
      return 0;
    const uint64_t raw_stride = (mode_->size.width * mode_->bit_depth / 8 + 31) / 32 * 32;
    return raw_buffers * raw_stride * mode_->size.height + output + second + statistics_bytes;
  }

  Exposure exposure(const ControlList &set) const override {
    int64_t duration = std::max(usual_frame_us, mode_->shortest_frame_us);
    if (const auto limits = set.get(controls::FrameDurationLimits))
      duration = std::clamp((*limits)[0], mode_->shortest_frame_us, mode_->longest_frame_us);
    // The automatic has its own values again when it is switched on.
    const bool is_set = set.get(controls::ExposureTime).has_value();
    if (set.get(controls::AeEnable).value_or(!is_set) || !sensor_.takes_exposure)
      return {duration, std::min<int64_t>(10000, duration)};
    const int64_t wanted = set.get(controls::ExposureTime).value_or(10000);
    const float gain = set.get(controls::AnalogueGain).value_or(1.0f);
    return {duration, std::min(wanted, duration), gain};
  }

  unsigned int control_delay() const override { return sensor_.control_delay; }

  unsigned int invalid_frames() const override { return sensor_.invalid_frames; }

  void describe(const Exposure &exposure, const Place &place, const ControlList &set,
                ControlList &metadata) const override {
    metadata.set(controls::SensorTimestamp, place.timestamp_ns);
    metadata.set(controls::ExposureTime, static_cast<int32_t>(exposure.time_us));
    metadata.set(controls::FrameDuration, exposure.duration_us);
    metadata.set(controls::AnalogueGain, exposure.gain);
    metadata.set(controls::DigitalGain, 1.0f);
    const std::array<float, 2> gains = {1.8f, 1.6f};
    metadata.set(controls::ColourGains, Span<const float, 2>(gains));
    metadata.set(controls::ColourTemperature, 4600);
    const std::array<float, 9> matrix = {1.8f, -0.5f, -0.3f, -0.4f, 1.7f, -0.3f, 0.0f, -0.6f, 1.6f};
    metadata.set(controls::ColourCorrectionMatrix, Span<const float, 9>(matrix));
    const std::array<int32_t, 4> black = {4096, 4112, 4128, 4144};
    metadata.set(controls::SensorBlackLevels, Span<const int32_t, 4>(black));
    metadata.set(controls::ScalerCrop, set.get(controls::ScalerCrop).value_or(mode_->crop));
    const bool is_adjusting = place.number <= adjusting_frames;
    metadata.set(controls::AeLocked, !is_adjusting);
    if (sensor_.has_lens) {
      metadata.set(controls::LensPosition, set.get(controls::LensPosition).value_or(1.0f));
      metadata.set(controls::AfState, static_cast<int32_t>(is_adjusting ? controls::AfStateScanning
                                                                        : controls::AfStateFocused));
    }
  }

  /// Raw frames begin with their number. With a second output, both show fields of the moment.
  std::vector<uint8_t> contents(const libcamera::StreamConfiguration &stream,
                                unsigned int sequence) const override {
    if (!is_raw(stream.pixelFormat))
      return paints_ ? fields(stream, sequence) : std::vector<uint8_t>();
    return {static_cast<uint8_t>(sequence), static_cast<uint8_t>(sequence >> 8), 0, 0};
  }

  bool needs_contiguous_memory() const override { return !is_pisp_; }

 private:
  /// Returns the luma of a picture of eight by eight fields, whose levels depend on the moment.
  static std::vector<uint8_t> fields(const libcamera::StreamConfiguration &stream,
                                     unsigned int sequence) {
    constexpr unsigned int count = 8;
    const auto [width, height] = std::pair(stream.size.width, stream.size.height);
    std::vector<uint8_t> luma(static_cast<size_t>(stream.stride) * height);
    for (unsigned int row = 0; row < height; row++) {
      for (unsigned int column = 0; column < count; column++) {
        const unsigned int field = row * count / height * count + column;
        const auto begin = luma.begin() + static_cast<ptrdiff_t>(row) * stream.stride;
        std::fill(begin + column * width / count, begin + (column + 1) * width / count,
                  static_cast<uint8_t>((field * 37 + sequence * 59) % 256));
      }
    }
    return luma;
  }

  const Sensor sensor_;
  const bool is_pisp_;
  const Mode *mode_ = nullptr;
  bool paints_ = false;
};

}  // namespace

std::unique_ptr<Pipeline> make_csi(bool is_pisp, const std::string &model, int rotation,
                                   bool has_flips, bool takes_exposure, bool widens_rows) {
  const Sensor *sensor = sensor_of(model);
  if (!sensor)
    return nullptr;
  Sensor mounted = *sensor;
  if (rotation >= 0)
    mounted.rotation = rotation;
  mounted.has_flips = has_flips;
  mounted.takes_exposure = takes_exposure;
  mounted.widens_rows = widens_rows;
  return std::make_unique<Csi>(std::move(mounted), is_pisp);
}

}  // namespace picameras
