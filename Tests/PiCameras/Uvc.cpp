// A USB camera. Read from raspberrypi/libcamera v0.7.1, src/libcamera/pipeline/uvcvideo/uvcvideo.cpp:139-259.
#include <libcamera/control_ids.h>
#include <libcamera/formats.h>
#include <libcamera/property_ids.h>

#include <algorithm>
#include <map>

#include "Pipeline.hpp"

namespace picameras {
namespace {

namespace controls = libcamera::controls;
namespace formats = libcamera::formats;
namespace properties = libcamera::properties;
using libcamera::CameraConfiguration;
using libcamera::ControlList;
using libcamera::PixelFormat;
using libcamera::Size;
using libcamera::SizeRange;
using libcamera::StreamConfiguration;

using Formats = std::map<PixelFormat, std::vector<Size>>;  // sizes ascending

/// A camera that sends raw pixels up to the capacity of a USB 2 cable, and JPEG beyond.
const std::map<std::string, Formats> &models() {
  static const std::map<std::string, Formats> models = {
      {"webcam",
       {{formats::YUYV, {{320, 240}, {640, 480}}},
        {formats::MJPEG, {{320, 240}, {640, 480}, {1280, 720}, {1920, 1080}}}}},
      {"cutting", {{formats::MJPEG, {{640, 480}, {1280, 720}}}}},
      {"late", {{formats::MJPEG, {{640, 480}, {1280, 720}}}}},
      {"document",
       {{formats::YUYV, {{640, 480}, {1280, 960}}},
        {formats::MJPEG, {{640, 480}, {1280, 960}, {1920, 1080}, {2592, 1944}, {3264, 2448}}}}}};
  return models;
}

constexpr int64_t bytes_a_second = 24'000'000;  // the capacity of a USB 2 cable
constexpr int64_t shortest_frame_us = 33333;
constexpr unsigned int driver_buffers = 4;
constexpr int64_t late_ns = 6'000'000'000;

class UvcConfiguration final : public CameraConfiguration {
 public:
  explicit UvcConfiguration(const Formats &offered) : offered_(offered) {
    std::map<PixelFormat, std::vector<SizeRange>> ranges;
    for (const auto &[format, sizes] : offered) {
      for (const Size &size : sizes)
        ranges[format].push_back(SizeRange(size));
    }
    StreamConfiguration stream{libcamera::StreamFormats(ranges)};
    stream.pixelFormat = offered.begin()->first;
    stream.size = offered.begin()->second.back();
    stream.bufferCount = driver_buffers;
    addConfiguration(stream);
    validate();
  }

  Status validate() override {
    if (config_.empty())
      return Invalid;
    bool is_adjusted = config_.size() > 1;
    config_.resize(1, StreamConfiguration());
    StreamConfiguration &stream = config_[0];
    if (!offered_.contains(stream.pixelFormat)) {
      stream.pixelFormat = offered_.begin()->first;
      is_adjusted = true;
    }
    const std::vector<Size> &sizes = offered_.at(stream.pixelFormat);
    Size chosen = sizes.front();
    for (const Size &size : sizes) {
      if (size > stream.size)
        break;
      chosen = size;
    }
    is_adjusted |= chosen != stream.size;
    stream.size = chosen;
    stream.bufferCount = driver_buffers;
    stream.stride = stream.pixelFormat == formats::MJPEG ? 0 : chosen.width * 2;
    stream.frameSize = chosen.width * chosen.height * 2;
    is_adjusted |= stream.colorSpace != libcamera::ColorSpace::Sycc;
    stream.colorSpace = libcamera::ColorSpace::Sycc;
    return is_adjusted ? Adjusted : Valid;
  }

 private:
  const Formats &offered_;
};

class Uvc final : public Pipeline {
 public:
  Uvc(std::string name, const Formats &offered) : name_(std::move(name)), offered_(offered) {}

  std::string id() const override {
    return "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.2:1.0-" + name_;
  }

  ControlList properties() const override {
    ControlList list(properties::properties);
    Size largest;
    for (const auto &[format, sizes] : offered_)
      largest = std::max(largest, sizes.back());
    list.set(properties::Model, name_);
    list.set(properties::Location, properties::CameraLocationExternal);
    list.set(properties::PixelArraySize, largest);
    return list;
  }

  libcamera::ControlInfoMap controls() const override {
    libcamera::ControlInfoMap::Map listed = {
        {&controls::Brightness, libcamera::ControlInfo(-1.0f, 1.0f, 0.0f)},
        {&controls::Contrast, libcamera::ControlInfo(0.0f, 2.0f, 1.0f)}};
    return {std::move(listed), controls::controls};
  }

  std::unique_ptr<CameraConfiguration> generate(
      const std::vector<libcamera::StreamRole> &roles) const override {
    return roles.empty() ? nullptr : std::make_unique<UvcConfiguration>(offered_);
  }

  int configure(const CameraConfiguration &configuration) override {
    const StreamConfiguration &stream = configuration.at(0);
    const int64_t bytes = stream.pixelFormat == formats::MJPEG ? 0 : stream.frameSize;
    is_jpeg_ = stream.pixelFormat == formats::MJPEG;
    frame_us_ = std::max(shortest_frame_us, bytes * 1'000'000 / bytes_a_second);
    return 0;
  }

  uint64_t internal_memory(const CameraConfiguration &) const override { return 0; }
  Exposure exposure(const ControlList &) const override { return {frame_us_, 0}; }

  /// Every third frame of a camera with a poor clock has a time that has long passed.
  void describe(const Exposure &, const Place &place, const ControlList &,
                ControlList &metadata) const override {
    const bool is_late = name_ == "late" && place.sequence % 3 == 0;
    metadata.set(controls::SensorTimestamp, place.timestamp_ns - (is_late ? late_ns : 0));
  }

  bool is_jpeg() const override { return is_jpeg_; }

  std::vector<uint8_t> contents(const StreamConfiguration &, unsigned int sequence) const override {
    if (!is_jpeg_)
      return {};
    // The image is begun and ended, and padded like a transfer. Every third one of a poor camera is
    // truncated.
    std::vector<uint8_t> image = {0xff, 0xd8, 0xff, 0xfe, 0, 3, 1, 0xff, 0xd9, 0, 0, 0};
    if (name_ == "cutting" && sequence % 3 == 0)
      image.resize(7);
    return image;
  }

  bool needs_contiguous_memory() const override { return false; }

 private:
  const std::string name_;
  const Formats &offered_;
  int64_t frame_us_ = shortest_frame_us;
  bool is_jpeg_ = false;
};

}  // namespace

std::unique_ptr<Pipeline> make_uvc(const std::string &name) {
  const auto found = models().find(name);
  return found == models().end() ? nullptr : std::make_unique<Uvc>(name, found->second);
}

}  // namespace picameras
