import Devices

/// The keys of the section `camera` for ``Devices/CameraControls``.
///
/// | key | value | default |
/// |---|---|---|
/// | `exposure` | `auto`, or a section with `duration` (1 us to 1 min) and `gain` (1 to 1000) | the camera's own |
/// | `white_balance` | `auto`, or a section with `red` and `blue` (0.01 to 100) | the camera's own |
/// | `focus` | `continuous`, `auto` (once, at the start), `locked`, or a lens position in diopters, 0 to 100 | the camera's own |
/// | `zoom` | factor by which the field of view is narrowed, 1 to 100 | 1 |
/// | `flicker` | the mains frequency in hertz, `50` or `60`, or `off` | `off` |
///
/// At the camera's start, a control that the camera does not have is refused by name.
extension ConfigurationMapping {
  /// Reads all of these keys.
  func cameraControls() -> CameraControls {
    var controls = CameraControls()
    controls.exposureMode = exposureMode()
    controls.whiteBalanceMode = whiteBalanceMode()
    controls.focusMode = focusMode()
    controls.videoZoomFactor = number("zoom", in: 1...100) ?? controls.videoZoomFactor
    controls.flickerAvoidance =
      value("flicker", expected: "50, 60 or off") { CameraControls.FlickerAvoidance(rawValue: $0) }
      ?? controls.flickerAvoidance
    return controls
  }

  private func exposureMode() -> CameraControls.ExposureMode? {
    if says("auto", at: "exposure") { return .continuousAutoExposure }
    guard let section = fixed("exposure", expected: "auto, or \"duration\" and \"gain\"") else {
      return nil
    }
    section.require("duration", "how long each row is exposed")
    section.require("gain", "the gain as a factor")
    let duration = section.duration("duration", in: .microseconds(1)...(.seconds(60)))
    let gain = section.number("gain", in: 1...1000)
    section.refuseUnknownKeys()
    guard let duration, let gain else { return nil }
    return .custom(duration: duration, gain: gain)
  }

  private func whiteBalanceMode() -> CameraControls.WhiteBalanceMode? {
    if says("auto", at: "white_balance") { return .continuousAutoWhiteBalance }
    guard let section = fixed("white_balance", expected: "auto, or \"red\" and \"blue\"") else {
      return nil
    }
    section.require("red", "the gain of red as a factor")
    section.require("blue", "the gain of blue as a factor")
    let red = section.number("red", in: 0.01...100)
    let blue = section.number("blue", in: 0.01...100)
    section.refuseUnknownKeys()
    guard let red, let blue else { return nil }
    return .custom(WhiteBalanceGains(red: red, blue: blue))
  }

  private func focusMode() -> CameraControls.FocusMode? {
    value("focus", expected: "continuous, auto, locked, or dioptres from 0 to 100") { text in
      switch text {
      case "continuous": .continuousAutoFocus
      case "auto": .autoFocus
      case "locked": .locked(lensPosition: nil)
      default:
        Double(text).flatMap {
          (0...100).contains($0) ? CameraControls.FocusMode.locked(lensPosition: $0) : nil
        }
      }
    }
  }

  /// Returns the section under a key whose other values are words.
  private func fixed(_ key: String, expected: String) -> ConfigurationMapping? {
    guard isSection(key) else {
      // The value is an unknown word or a list.
      return value(key, expected: expected) { _ in nil }
    }
    return section(key)
  }
}
