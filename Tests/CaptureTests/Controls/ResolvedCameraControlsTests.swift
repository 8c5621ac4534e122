import Devices
import SimulatedDevices
import Testing

@testable import Capture

@Suite struct ResolvedCameraControlsTests {
  private let all = SimulatedCameraModel.allControls
  private let calibration = CameraCalibration(
    exposureDuration: .milliseconds(8), analogueGain: 2,
    whiteBalanceGains: WhiteBalanceGains(red: 2, blue: 1.5), lensPosition: 3)

  private func settings(
    _ prioritization: QualityPrioritization = .balanced,
    _ change: (inout CameraControls) -> Void = { _ in }
  ) -> SessionSettings {
    var settings = SessionSettings(preset: .photo, prioritization: prioritization)
    change(&settings.controls)
    return settings
  }

  struct Noise: Sendable {
    var wanted: QualityPrioritization
    var offered: Set<CameraControls.NoiseReduction>
    var expected: CameraControls.NoiseReduction?
  }

  static let noises = [
    Noise(wanted: .speed, offered: [.minimal, .fast, .highQuality], expected: .minimal),
    Noise(wanted: .balanced, offered: [.minimal, .fast, .highQuality], expected: .fast),
    Noise(wanted: .quality, offered: [.minimal, .fast, .highQuality], expected: .highQuality),
    Noise(wanted: .speed, offered: [.fast], expected: .fast),
    Noise(wanted: .quality, offered: [.fast, .minimal], expected: .fast),
    Noise(wanted: .balanced, offered: [.minimal], expected: .minimal),
    Noise(wanted: .speed, offered: [.highQuality], expected: nil),
    Noise(wanted: .quality, offered: [], expected: nil),
  ]

  @Test(arguments: noises)
  func `the prioritization resolves to an offered noise reduction`(_ noise: Noise) {
    var capabilities = all
    capabilities.noiseReductions = noise.offered
    let resolved = ResolvedCameraControls(
      settings(noise.wanted), calibration: nil, capabilities: capabilities)
    #expect(resolved.controls.noiseReduction == noise.expected)
    #expect(resolved.notes.isEmpty == (noise.expected != nil), "\(resolved.notes)")
    #expect(capabilities.refusal(of: resolved.controls) == nil)
  }

  @Test func `an explicit noise reduction holds`() {
    let resolved = ResolvedCameraControls(
      settings(.speed) { $0.noiseReduction = .highQuality }, calibration: nil, capabilities: all)
    #expect(resolved.controls.noiseReduction == .highQuality)
  }

  @Test func `a calibration fixes only the automatic controls`() {
    let open = ResolvedCameraControls(
      settings { $0.exposureMode = .continuousAutoExposure }, calibration: calibration,
      capabilities: all)
    #expect(open.isCalibrated)
    #expect(open.controls.exposureMode == .custom(duration: .milliseconds(8), gain: 2))
    #expect(open.controls.focusMode == .locked(lensPosition: 3))
    #expect(open.notes == ["exposure, focus and white balance fixed by the camera's calibration"])
    let byHand = ResolvedCameraControls(
      settings {
        $0.exposureMode = .locked
        $0.whiteBalanceMode = .custom(WhiteBalanceGains(red: 1, blue: 1))
        $0.videoZoomFactor = 2
        $0.flickerAvoidance = .hertz50
      }, calibration: calibration, capabilities: all)
    #expect(byHand.controls.exposureMode == .locked)
    #expect(byHand.controls.whiteBalanceMode == .custom(WhiteBalanceGains(red: 1, blue: 1)))
    #expect(byHand.controls.focusMode == .locked(lensPosition: 3))
    #expect(byHand.controls.videoZoomFactor == 2 && byHand.controls.flickerAvoidance == .hertz50)
    let all = ResolvedCameraControls(
      settings {
        $0.exposureMode = .locked
        $0.whiteBalanceMode = .locked
        $0.focusMode = .locked(lensPosition: 1)
      }, calibration: calibration, lensPosition: 5, capabilities: all)
    #expect(!all.isCalibrated && all.controls.focusMode == .locked(lensPosition: 1))
  }

  @Test func `a requested focus takes precedence over the calibration`() {
    let resolved = ResolvedCameraControls(
      settings(), calibration: calibration, lensPosition: 5, capabilities: all)
    #expect(resolved.controls.focusMode == .locked(lensPosition: 5))
    #expect(resolved.controls.exposureMode == .custom(duration: .milliseconds(8), gain: 2))
  }

  @Test func `a calibration is kept within the camera's range`() {
    var capabilities = all
    capabilities.gains = 1...1.5
    capabilities.focusModes = []
    let resolved = ResolvedCameraControls(
      settings(), calibration: calibration, capabilities: capabilities)
    // A longer duration gives the rest of the gain.
    let duration = Duration.milliseconds(8) * (2 / 1.5)
    #expect(resolved.controls.exposureMode == .custom(duration: duration, gain: 1.5))
    #expect(resolved.controls.focusMode == nil)
    #expect(capabilities.refusal(of: resolved.controls) == nil)
  }

  @Test func `a standby keeps the controls that it has`() {
    var capabilities = all
    capabilities.gains = 1...4
    capabilities.flickerAvoidances = [.off]
    let wanted = settings {
      $0.exposureMode = .custom(duration: .milliseconds(5), gain: 8)
      $0.focusMode = .continuousAutoFocus
      $0.flickerAvoidance = .hertz60
      $0.image = [.sharpness: 1.5]
    }
    let standby = ResolvedCameraControls(
      wanted, calibration: nil, capabilities: capabilities, isStandby: true)
    let kept = CameraControls(
      focusMode: .continuousAutoFocus, noiseReduction: .fast, image: [.sharpness: 1.5])
    #expect(standby.controls == kept)
    #expect(standby.notes.count == 2, "\(standby.notes)")
  }

  @Test func `a standby omits missing controls and reports that`() {
    let plain = CameraCapabilities()
    let wanted = settings {
      $0.exposureMode = .custom(duration: .milliseconds(5), gain: 2)
      $0.focusMode = .continuousAutoFocus
      $0.videoZoomFactor = 2
      $0.flickerAvoidance = .hertz60
      $0.image = [.sharpness: 1.5, .contrast: 2]
    }
    let standby = ResolvedCameraControls(
      wanted, calibration: nil, capabilities: plain, isStandby: true)
    #expect(standby.controls == CameraControls())
    #expect(standby.notes.count == 7, "\(standby.notes)")
    let other = ResolvedCameraControls(wanted, calibration: nil, capabilities: plain)
    #expect(plain.refusal(of: other.controls) != nil, "whoever is asked for refuses by name")
  }
}
