// Sources: raspberrypi/linux, drivers/media/i2c: ov5647.c (00f710c4), imx219.c (01a8e801), imx477.c
// (00233bcd) and imx708.c (02b9c86b). A frame's shortest duration is (height + least blanking) ×
// line length ÷ pixel rate, as in libcamera (src/ipa/rpi/common/ipa_base.cpp).
//
// The delay of controls is the longest of a sensor's delays in libcamera's
// src/libcamera/sensor/camera_sensor_properties.cpp. The others are staggered so that all land
// together (src/libcamera/pipeline/rpi/common/delayed_controls.cpp, applyControls()).
#include "Sensors.hpp"

#include <libcamera/formats.h>

#include <algorithm>

namespace picameras {
namespace {

// PISP_FORMAT_MOD_COMPRESS_MODE1 of newer versions' include/linux/drm_fourcc.h.
constexpr uint64_t pisp_compressed = uint64_t(0x0c) << 56 | 1;

}  // namespace

const Sensor *sensor_of(const std::string &model) {
  static const std::vector<Sensor> sensors = {
      {"ov5647", {2592, 1944}, 0x36, 0, false, 63.94f, "GBRG", 2, 2,
       {{{640, 480}, {16, 0, 2560, 1920}, 10, 16971, 1103354},
        {{1296, 972}, {0, 0, 2592, 1944}, 10, 21581, 710014},
        {{1920, 1080}, {348, 434, 1928, 1080}, 10, 30483, 904743},
        {{2592, 1944}, {0, 0, 2592, 1944}, 10, 63965, 1065021}}},
      {"imx219", {3280, 2464}, 0x10, 180, false, 10.667f, "RGGB", 0, 2,
       {{{640, 480}, {1000, 752, 1280, 960}, 10, 9678, 1238841},
        {{1640, 1232}, {0, 0, 3280, 2464}, 10, 23894, 1238841},
        {{1920, 1080}, {680, 692, 1920, 1080}, 10, 21020, 1238841},
        {{3280, 2464}, {0, 0, 3280, 2464}, 10, 47183, 1238841},
        {{640, 480}, {1000, 752, 1280, 960}, 8, 9678, 1238841},
        {{1640, 1232}, {0, 0, 3280, 2464}, 8, 23894, 1238841},
        {{1920, 1080}, {680, 692, 1920, 1080}, 8, 21020, 1238841},
        {{3280, 2464}, {0, 0, 3280, 2464}, 8, 47183, 1238841}}},
      {"imx477", {4056, 3040}, 0x1a, 180, false, 22.26f, "RGGB", 0, 3,
       {{{1332, 990}, {696, 528, 2664, 1980}, 10, 8330, 66500000},
        {{2028, 1080}, {0, 440, 4056, 2160}, 12, 19989, 127200000},
        {{2028, 1520}, {0, 0, 4056, 3040}, 12, 24994, 127200000},
        {{4056, 3040}, {0, 0, 4056, 3040}, 12, 100000, 239500000}}},
      {"imx708", {4608, 2592}, 0x1a, 180, true, 16.0f, "RGGB", 0, 3,
       {{{1536, 864}, {768, 432, 3072, 1728}, 10, 8324, 77200000},
        {{2304, 1296}, {0, 0, 4608, 2592}, 10, 17849, 112100000},
        {{4608, 2592}, {0, 0, 4608, 2592}, 10, 69669, 220500000}}}};
  const auto found = std::find_if(sensors.begin(), sensors.end(),
                                  [&](const Sensor &sensor) { return sensor.model == model; });
  return found == sensors.end() ? nullptr : &*found;
}

libcamera::PixelFormat packed(const std::string &order, unsigned int bit_depth) {
  namespace formats = libcamera::formats;
  if (bit_depth == 8)
    return order == "BGGR" ? formats::SBGGR8 : formats::SRGGB8;
  if (bit_depth == 12)
    return order == "BGGR" ? formats::SBGGR12_CSI2P : formats::SRGGB12_CSI2P;
  if (order == "GBRG")
    return formats::SGBRG10_CSI2P;
  return order == "BGGR" ? formats::SBGGR10_CSI2P : formats::SRGGB10_CSI2P;
}

libcamera::PixelFormat of_pisp(const std::string &order, bool is_compressed) {
  namespace formats = libcamera::formats;
  const libcamera::PixelFormat exact = order == "BGGR"   ? formats::SBGGR16
                                       : order == "GBRG" ? formats::SGBRG16
                                                         : formats::SRGGB16;
  return libcamera::PixelFormat(exact.fourcc(), is_compressed ? pisp_compressed : 0);
}

bool is_raw(const libcamera::PixelFormat &format) {
  for (const char *order : {"RGGB", "BGGR", "GBRG"}) {
    for (const unsigned int bit_depth : {8u, 10u, 12u}) {
      if (packed(order, bit_depth) == format)
        return true;
    }
    if (of_pisp(order, false) == format || of_pisp(order, true) == format)
      return true;
  }
  return false;
}

}  // namespace picameras
