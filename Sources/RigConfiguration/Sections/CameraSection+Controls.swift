import Capture
import Devices
import Settings

/// The settings of the camera's controls.
///
/// At the camera's start, a control that the camera does not have is refused by name.
extension CameraSection {
  /// The keys of ``Devices/CameraControls``.
  static let controls = modes + image

  private static let modes: [Setting<CameraSection>] = [
    .valueOrPart(
      \.session.settings.controls.exposureMode, "exposure", exposure, default: own,
      "the mode of the exposure: automatic, or fixed"
    ) { (fixed: FixedExposure) in .custom(duration: fixed.duration, gain: fixed.gain) },
    .valueOrPart(
      \.session.settings.controls.whiteBalanceMode, "white_balance", whiteBalance, default: own,
      "the mode of the white balance: automatic, or fixed"
    ) { (fixed: FixedWhiteBalance) in .custom(fixed.gains) },
    Setting(
      \.session.settings.controls.focusMode, "focus", focus, default: own,
      "the mode of the focus; auto focuses once, at the start, and a number places the lens"),
    Setting(
      \.session.settings.controls.videoZoomFactor, "zoom",
      .number(VideoZoom.factors),
      "the factor by which the field of view is narrowed"),
    Setting(
      \.session.settings.controls.flickerAvoidance, "flicker", .word,
      "the mains frequency in hertz that the automatic exposure must not beat with"),
  ]

  private static let image: [Setting<CameraSection>] = ImageControl.allCases.map { control in
    Setting<CameraSection>(
      \CameraSection.session.settings.controls.image[control], control.configurationKey,
      .number(control.range), default: own, control.meaning)
  }

  private static let own = "the camera's own"

  private static let exposure = SettingForm<CameraControls.ExposureMode>(
    "word or section", range: "auto, or duration and gain",
    expected: "auto, or \"duration\" and \"gain\"",
    parse: { $0 == "auto" ? .continuousAutoExposure : nil })

  private static let whiteBalance = SettingForm<CameraControls.WhiteBalanceMode>(
    "word or section", range: "auto, or red and blue",
    expected: "auto, or \"red\" and \"blue\"",
    parse: { $0 == "auto" ? .continuousAutoWhiteBalance : nil })

  private static let focus = SettingForm<CameraControls.FocusMode>(
    "word or number", range: "continuous, auto, locked, or 0 to 100 diopters",
    expected: "continuous, auto, locked, or diopters from 0 to 100",
    parse: { text in
      switch text {
      case "continuous": return .continuousAutoFocus
      case "auto": return .autoFocus
      case "locked": return .locked(lensPosition: nil)
      default:
        guard let position = Double(text),
          CameraControls.FocusMode.lensPositions.contains(position)
        else { return nil }
        return .locked(lensPosition: position)
      }
    })
}

/// The section of a fixed exposure.
private struct FixedExposure: SettingsPart {
  /// The time for which each row is exposed.
  var duration = Duration.zero
  /// The gain before the converter, as a factor.
  var gain = 1.0

  static let settings: [Setting<FixedExposure>] = [
    Setting(
      \.duration, "duration", .duration(CameraControls.ExposureMode.durations),
      required: "the time for which each row is exposed",
      "the time for which each row is exposed"),
    Setting(
      \.gain, "gain", .number(CameraControls.ExposureMode.gains), required: "the gain as a factor",
      "the gain as a factor"),
  ]
}

/// The section of a fixed white balance.
private struct FixedWhiteBalance: SettingsPart {
  /// The gains of red and blue.
  var gains = WhiteBalanceGains(red: 1, blue: 1)

  static let settings: [Setting<FixedWhiteBalance>] = [
    Setting(
      \.gains.red, "red", .number(WhiteBalanceGains.range), required: "the gain of red as a factor",
      "the gain of red as a factor"),
    Setting(
      \.gains.blue, "blue", .number(WhiteBalanceGains.range),
      required: "the gain of blue as a factor",
      "the gain of blue as a factor"),
  ]
}
