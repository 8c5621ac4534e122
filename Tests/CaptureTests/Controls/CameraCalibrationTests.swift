import Capture
import Devices
import Foundation
import Testing

@Suite struct CameraCalibrationTests {
  private let calibration = CameraCalibration(
    exposureDuration: .microseconds(12_345), analogueGain: 1.75,
    whiteBalanceGains: WhiteBalanceGains(red: 1.8, blue: 1.6), lensPosition: 2.25)

  @Test func `a calibration fixes its own values and leaves the others`() {
    let controls = calibration.applied(
      to: CameraControls(videoZoomFactor: 1.5, flickerAvoidance: .hertz50, noiseReduction: .fast))
    #expect(
      controls
        == CameraControls(
          exposureMode: .custom(duration: .microseconds(12_345), gain: 1.75),
          whiteBalanceMode: .custom(WhiteBalanceGains(red: 1.8, blue: 1.6)),
          focusMode: .locked(lensPosition: 2.25), videoZoomFactor: 1.5,
          flickerAvoidance: .hertz50, noiseReduction: .fast))
    #expect(CameraCalibration().applied(to: CameraControls()) == CameraControls())
    // A gain without a duration is no exposure.
    let gain = CameraCalibration(analogueGain: 2)
    #expect(gain.applied(to: CameraControls()) == CameraControls())
  }

  @Test func `a calibration survives its file form`() throws {
    for stored in [calibration, CameraCalibration()] {
      let data = try JSONEncoder().encode(stored)
      #expect(try JSONDecoder().decode(CameraCalibration.self, from: data) == stored)
    }
  }

  @Test func `a calibration has the values of a frame`() {
    var frame = FrameInfo(
      id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 1),
      exposureDuration: .microseconds(12_345), analogueGain: 1.75, digitalGain: 1.1,
      lensPosition: 2.25)
    frame.whiteBalanceGains = WhiteBalanceGains(red: 1.8, blue: 1.6)
    var expected = calibration
    expected.analogueGain = 1.75 * 1.1
    #expect(CameraCalibration(frame) == expected)
  }

  /// Without the longer exposure the picture would be darker than during the calibration.
  @Test func `a missing gain is replaced by exposure time`() {
    let dim = CameraCalibration(exposureDuration: .milliseconds(20), analogueGain: 12)
    let limited = dim.limited(
      to: CameraCapabilities(
        exposureModes: [.custom], exposureDurations: .milliseconds(1)...(.milliseconds(60)),
        gains: 1...8))
    #expect(
      limited == CameraCalibration(exposureDuration: .milliseconds(30), analogueGain: 8))
  }

  @Test func `a camera gets only the controls that it has`() {
    let nothing = calibration.limited(to: CameraCapabilities())
    #expect(nothing == CameraCalibration())
    let narrow = CameraCapabilities(
      exposureModes: [.custom], exposureDurations: .milliseconds(1)...(.milliseconds(10)),
      gains: 2...4, whiteBalanceModes: [.custom], whiteBalanceGains: 1...1.7,
      focusModes: [.locked], lensPositions: 0...2)
    let limited = calibration.limited(to: narrow)
    #expect(
      limited
        == CameraCalibration(
          exposureDuration: .milliseconds(10), analogueGain: 2,
          whiteBalanceGains: WhiteBalanceGains(red: 1.7, blue: 1.6), lensPosition: 2))
    #expect(narrow.refusal(of: limited.applied(to: CameraControls())) == nil)
  }
}
