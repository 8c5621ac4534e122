package import Devices

/// The flash of presses: the session's lamp, lit or dark for one picture.
extension CaptureSession {
  /// The flash modes that a press may ask for (`AVCapturePhotoOutput.supportedFlashModes`).
  package nonisolated var flashModes: [FlashMode] {
    guard lamp != nil else { return [.off] }
    return FlashMode.allCases.filter { $0 != .off || configuration.lamp.mode == .shot }
  }

  /// Returns the reason to refuse a flash mode; `nil` for a possible one.
  nonisolated func flashRefusal(of wanted: FlashMode?) -> RefusalReason? {
    guard let wanted, !flashModes.contains(wanted) else { return nil }
    return lamp == nil ? .noLamp : .lampStaysLit
  }

  /// Refuses a flash mode as the default for presses.
  nonisolated func checkFlash(_ wanted: FlashMode?) throws(ConfigurationFailure) {
    guard let reason = flashRefusal(of: wanted) else { return }
    let cause =
      reason == .noLamp
      ? "the rig has no lamp" : "with \"lamp.mode: session\" it is lit while the session runs"
    throw ConfigurationFailure(
      .refused,
      DeviceError(
        .unsupported, device: lamp?.name ?? "lamp",
        problem: "cannot be \"\(wanted?.rawValue ?? "")\" for a picture", cause: cause))
  }

  /// Decides about the flash of a press; `nil` without a lamp.
  ///
  /// With `auto`, the lamp is lit for a page whose light the camera has not measured. A camera that
  /// reports no exposure never measures the light, and a lit page can always be read.
  ///
  /// - Parameters:
  ///   - wanted: the wanted mode; `nil` takes the session's.
  ///   - anticipation: the frame that was kept for the press; its flash is the press's.
  func resolveFlash(
    _ wanted: FlashMode?, _ anticipation: Anticipation? = nil
  ) -> ResolvedFlash? {
    guard let policy = lampSwitch?.policy else { return nil }
    if wanted == nil, let anticipated = anticipation.flatMap({ outputs.photo.flash(of: $0) }) {
      return anticipated
    }
    let mode = wanted ?? settings.flashMode ?? .on
    let isEnabled =
      switch mode {
      case .off: false
      case .on: true
      case .auto: policy.mode == .session || lightMeter.isDark ?? true
      }
    return ResolvedFlash(mode: mode, isEnabled: isEnabled)
  }
}
