import CLibcameraShim
import Devices
import Foundation
import Testing

@testable import LinuxDevices

@Suite struct PixelFormatDRMTests {
  /// The names of the formats in libcamera, whose installed header is the referee.
  @Test(arguments: [
    (PixelFormat.yuv420, "YUV420"), (.nv12, "NV12"), (.yuyv, "YUYV"), (.rgb, "BGR888"),
    (.bgr, "RGB888"), (.mjpeg, "MJPEG"),
  ])
  func `a format has libcamera's four CC`(format: PixelFormat, name: String) throws {
    let header = try String(
      contentsOfFile: "/usr/include/libcamera/libcamera/formats.h", encoding: .utf8)
    let pattern = try Regex(
      "PixelFormat \(name)\\{ __fourcc\\('(.)', '(.)', '(.)', '(.)'\\)")
    let match = try #require(header.firstMatch(of: pattern))
    let characters = (1...4).compactMap { match.output[$0].substring?.utf8.first }
    let expected = zip(characters, [0, 8, 16, 24]).reduce(UInt32(0)) { $0 | UInt32($1.0) << $1.1 }
    #expect(format.drmFourCC == expected)
    #expect(PixelFormat(drmFourCC: expected) == format)
  }

  @Test func `all formats differ`() {
    #expect(Set(PixelFormat.allCases.map(\.drmFourCC)).count == PixelFormat.allCases.count)
  }

  @Test(arguments: [0, 1, UInt32.max, 0x3432_5258])
  func `a foreign four CC is no format`(fourCC: UInt32) {
    #expect(PixelFormat(drmFourCC: fourCC) == nil)
  }

  @Test(arguments: [
    (PLATEN_CAMERA_COLOR_UNSPECIFIED.rawValue, ColorSpace.unspecified),
    (PLATEN_CAMERA_COLOR_BT601_FULL.rawValue, .jpeg),
    (PLATEN_CAMERA_COLOR_BT601_LIMITED.rawValue, .bt601Limited),
    (PLATEN_CAMERA_COLOR_BT709_LIMITED.rawValue, .bt709Limited), (99, .unspecified),
  ])
  func `a color space is read`(value: UInt32, colorSpace: ColorSpace) {
    #expect(ColorSpace(shimValue: value) == colorSpace)
  }
}
