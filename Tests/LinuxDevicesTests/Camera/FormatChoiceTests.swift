import CLibcameraShim
import Devices
import Foundation
import Testing

@testable import LinuxDevices

/// The format that a USB camera's stream gets, as chosen by libcamera's uvcvideo pipeline.
@Suite struct FormatChoiceTests {
  typealias Size = (format: PixelFormat, width: Int, height: Int)

  /// A webcam whose cable passes only small raw pictures.
  private static let webcam: [Size] = [
    (.yuyv, 320, 240), (.yuyv, 640, 480), (.mjpeg, 640, 480), (.mjpeg, 1280, 720),
    (.mjpeg, 1920, 1080),
  ]
  /// A document camera that offers its sizes raw, too, at a frame a second.
  private static let documentCamera: [Size] = [
    (.yuyv, 640, 480), (.yuyv, 1280, 960), (.yuyv, 1920, 1080), (.mjpeg, 1280, 960),
    (.mjpeg, 1920, 1080), (.mjpeg, 3264, 2448),
  ]

  struct Choice: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sizes: [Size]
    let wanted: FrameSize
    var frameRate: Double?
    var formats = StreamConfiguration(size: FrameSize(width: 1, height: 1)).pixelFormats
    let chosen: Size
  }

  static let choices = [
    Choice(
      testDescription: "webcam at 1080p", sizes: webcam,
      wanted: FrameSize(width: 1920, height: 1080), chosen: (.mjpeg, 1920, 1080)),
    Choice(
      testDescription: "webcam, small", sizes: webcam, wanted: FrameSize(width: 640, height: 480),
      chosen: (.yuyv, 640, 480)),
    Choice(
      testDescription: "document camera, full", sizes: documentCamera,
      wanted: FrameSize(width: 3264, height: 2448), chosen: (.mjpeg, 3264, 2448)),
    Choice(
      testDescription: "document camera at 1080p, which it also has raw", sizes: documentCamera,
      wanted: FrameSize(width: 1920, height: 1080), chosen: (.mjpeg, 1920, 1080)),
    Choice(
      testDescription: "document camera, as often as raw pictures come", sizes: documentCamera,
      wanted: FrameSize(width: 1280, height: 960), frameRate: 9, chosen: (.yuyv, 1280, 960)),
    Choice(
      testDescription: "document camera, more often", sizes: documentCamera,
      wanted: FrameSize(width: 1280, height: 960), frameRate: 10, chosen: (.mjpeg, 1280, 960)),
    Choice(
      testDescription: "the only wanted format, though it is smaller", sizes: webcam,
      wanted: FrameSize(width: 1920, height: 1080), formats: [.yuyv], chosen: (.yuyv, 640, 480)),
    Choice(
      testDescription: "a size between two", sizes: webcam,
      wanted: FrameSize(width: 1300, height: 730), chosen: (.mjpeg, 1280, 720)),
  ]

  private func choose(
    _ sizes: [Size], _ wanted: FrameSize, _ formats: [PixelFormat], frameRate: Double? = nil
  ) throws -> (outcome: ShimOutcome, chosen: platen_rehearsal_size) {
    let listed = sizes.map {
      platen_rehearsal_size(
        format: $0.format.drmFourCC, width: UInt32($0.width), height: UInt32($0.height))
    }
    var request = try StreamConfiguration(
      size: wanted, pixelFormats: formats, frameRate: frameRate
    ).shimRequest(for: "camera")
    var chosen = platen_rehearsal_size()
    let outcome = ShimOutcome.of { cause, capacity in
      platen_rehearse_format(listed, listed.count, &request, &chosen, cause, capacity)
    }
    return (outcome, chosen)
  }

  @Test(arguments: choices)
  func `the format nearest in size is chosen`(_ choice: Choice) throws {
    let (outcome, chosen) = try choose(
      choice.sizes, choice.wanted, choice.formats, frameRate: choice.frameRate)
    #expect(outcome.status == 0)
    #expect(PixelFormat(drmFourCC: chosen.format) == choice.chosen.format)
    #expect(Int(chosen.width) == choice.chosen.width)
    #expect(Int(chosen.height) == choice.chosen.height)
  }

  @Test func `a camera without a wanted format is refused`() throws {
    let (outcome, _) = try choose(Self.webcam, FrameSize(width: 640, height: 480), [.nv12])
    #expect(outcome.status == -ENOTSUP)
    #expect(outcome.cause.hasPrefix("the camera has only"))
  }
}
