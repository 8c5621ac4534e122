import CLibcameraShim
import Devices
import Testing

@testable import LinuxDevices

@Suite struct FrameInfoLibcameraTests {
  private func frame(present: Int) -> platen_camera_frame_info {
    var frame = platen_camera_frame_info()
    frame.id = 7
    frame.sequence = 4711
    frame.timestamp_ns = 123_456_789_000
    frame.clock = PLATEN_CAMERA_CLOCK_MONOTONIC.rawValue
    frame.present = UInt32(truncatingIfNeeded: present)
    frame.exposure_ns = 10_000_000
    frame.frame_duration_ns = 33_000_000
    frame.analogue_gain = 2
    frame.digital_gain = 1.5
    frame.lens_position = 4
    return frame
  }

  @Test func `missing data of a frame stays missing`() {
    let info = FrameInfo(frame(present: 0), readoutDuration: .milliseconds(20))
    #expect(
      info
        == FrameInfo(
          id: 7, sequence: 4711, timestamp: MonotonicInstant(nanoseconds: 123_456_789_000),
          readoutDuration: .milliseconds(20)))
  }

  @Test func `an untrusted time is marked`() {
    var frame = frame(present: 0)
    for (clock, isKnown) in [
      (PLATEN_CAMERA_CLOCK_UNKNOWN, false), (PLATEN_CAMERA_CLOCK_MONOTONIC, true),
      (PLATEN_CAMERA_CLOCK_BOOTTIME, true),
    ] {
      frame.clock = clock.rawValue
      #expect(FrameInfo(frame, readoutDuration: .zero).isTimestampKnown == isKnown)
    }
  }

  @Test func `all data of a frame is read`() {
    let all =
      PLATEN_CAMERA_HAS_EXPOSURE | PLATEN_CAMERA_HAS_FRAME_DURATION
      | PLATEN_CAMERA_HAS_ANALOGUE_GAIN | PLATEN_CAMERA_HAS_DIGITAL_GAIN
      | PLATEN_CAMERA_HAS_LENS_POSITION
    let info = FrameInfo(frame(present: all), readoutDuration: .zero)
    #expect(
      info
        == FrameInfo(
          id: 7, sequence: 4711, timestamp: MonotonicInstant(nanoseconds: 123_456_789_000),
          exposureDuration: .milliseconds(10), readoutDuration: .zero,
          frameDuration: .milliseconds(33), analogueGain: 2, digitalGain: 1.5, lensPosition: 4))
  }

  /// The sidecar cannot carry them.
  @Test func `numbers that are not finite are missing`() {
    var frame = frame(present: -1)
    for number in [Double.nan, .infinity] {
      frame.analogue_gain = number
      frame.digital_gain = number
      frame.lens_position = number
      frame.red_gain = number
      frame.zoom = number
      let info = FrameInfo(frame, readoutDuration: .zero)
      #expect(info.analogueGain == nil && info.digitalGain == nil && info.lensPosition == nil)
      #expect(info.whiteBalanceGains == nil && info.videoZoomFactor == nil)
    }
  }

  @Test func `each bit is one field`() {
    func known(_ bit: Int) -> [Bool] {
      let info = FrameInfo(frame(present: bit), readoutDuration: .zero)
      return [
        info.exposureDuration != nil, info.frameDuration != nil, info.analogueGain != nil,
        info.digitalGain != nil, info.lensPosition != nil,
      ]
    }
    #expect(known(PLATEN_CAMERA_HAS_EXPOSURE) == [true, false, false, false, false])
    #expect(known(PLATEN_CAMERA_HAS_FRAME_DURATION) == [false, true, false, false, false])
    #expect(known(PLATEN_CAMERA_HAS_ANALOGUE_GAIN) == [false, false, true, false, false])
    #expect(known(PLATEN_CAMERA_HAS_DIGITAL_GAIN) == [false, false, false, true, false])
    #expect(known(PLATEN_CAMERA_HAS_LENS_POSITION) == [false, false, false, false, true])
  }

  @Test func `a listed camera is described`() {
    var listed = platen_cameras_description()
    withUnsafeMutableBytes(of: &listed.id) { $0.copyBytes(from: Array("/base/imx708@1a".utf8)) }
    withUnsafeMutableBytes(of: &listed.model) { $0.copyBytes(from: Array("imx708".utf8)) }
    listed.location = PLATEN_CAMERAS_LOCATION_BACK.rawValue
    listed.rotation = 180
    listed.width = 4608
    listed.height = 2592
    #expect(
      CameraDescription(listed)
        == CameraDescription(
          id: "/base/imx708@1a", model: "imx708", position: .back, mountingRotation: 180,
          largestSize: FrameSize(width: 4608, height: 2592)))
    listed.width = 0
    listed.location = 99
    #expect(CameraDescription(listed).largestSize == nil)
    #expect(CameraDescription(listed).position == .unspecified)
  }
}
