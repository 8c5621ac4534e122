import Capture
import Devices
import Foundation
import Testing

@Suite struct CameraCalibrationTests {
  private let calibration = CameraCalibration(
    exposureDuration: .microseconds(12_345), analogueGain: 1.75,
    whiteBalanceGains: WhiteBalanceGains(red: 1.8, blue: 1.6), lensPosition: 2.25)

  @Test func itFixesWhatItKnowsAndLeavesTheRest() {
    let controls = calibration.applied(
      to: CameraControls(videoZoomFactor: 1.5, flickerAvoidance: .hertz50, noiseReduction: .fast))
    #expect(
      controls
        == CameraControls(
          exposureMode: .custom(duration: .microseconds(12_345), gain: 1.75),
          whiteBalanceMode: .custom(WhiteBalanceGains(red: 1.8, blue: 1.6)),
          focusMode: .locked(lensPosition: 2.25), videoZoomFactor: 1.5,
          flickerAvoidance: .hertz50, noiseReduction: .fast))
    #expect(CameraCalibration().controls == CameraControls())
    // Half an exposure is none.
    #expect(CameraCalibration(analogueGain: 2).controls == CameraControls())
  }

  @Test func itOutlivesItsFile() throws {
    for stored in [calibration, CameraCalibration()] {
      let data = try JSONEncoder().encode(stored)
      #expect(try JSONDecoder().decode(CameraCalibration.self, from: data) == stored)
    }
  }

  @Test func itIsWhatAFrameWasTakenWith() {
    var frame = FrameInfo(
      id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 1),
      exposureDuration: .microseconds(12_345), analogueGain: 1.75, digitalGain: 1.1,
      lensPosition: 2.25)
    frame.whiteBalanceGains = WhiteBalanceGains(red: 1.8, blue: 1.6)
    var expected = calibration
    expected.analogueGain = 1.75 * 1.1
    #expect(CameraCalibration(frame) == expected)
  }

  /// Without it the picture would be darker than the one that was calibrated on.
  @Test func whatNoGainCanGiveIsGivenByTime() {
    let dim = CameraCalibration(exposureDuration: .milliseconds(20), analogueGain: 12)
    let limited = dim.limited(
      to: CameraCapabilities(
        exposureModes: [.custom], exposureDurations: .milliseconds(1)...(.milliseconds(60)),
        gains: 1...8))
    #expect(
      limited == CameraCalibration(exposureDuration: .milliseconds(30), analogueGain: 8))
  }

  @Test func aCameraIsOnlyToldWhatItHas() {
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
    #expect(narrow.refusal(of: limited.controls) == nil)
  }
}
