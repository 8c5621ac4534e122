import API
import Capture
import Devices
import Imaging

/// The API reports of the session's settings, and the meaning of a settings change.
extension SessionSettingsReport {
  init(_ settings: SessionSettings) {
    let preset: String
    var size: SizeReport?
    if case .custom(let wanted) = settings.preset {
      preset = "custom"
      size = SizeReport(width: wanted.width, height: wanted.height)
    } else {
      preset = settings.preset.description
    }
    self.init(
      camera: settings.camera.rawValue, preset: preset, size: size,
      frameRate: settings.frameRate.map { .fixed($0) } ?? .own, controls: settings.controls,
      prioritization: Word(settings.prioritization),
      fastCapture: settings.isFastCapturePrioritized, flash: settings.flashMode.map { Word($0) })
  }
}

extension ControlsReport {
  init(_ resolved: ResolvedCameraControls) {
    self.init(
      controls: resolved.controls, isCalibrated: resolved.isCalibrated, notes: resolved.notes)
  }
}

extension CalibrationReport {
  init(_ calibration: CameraCalibration) {
    self.init(
      exposureMicroseconds: calibration.exposureDuration.map { $0.inMilliseconds * 1000 },
      gain: calibration.analogueGain, redGain: calibration.whiteBalanceGains?.red,
      blueGain: calibration.whiteBalanceGains?.blue, diopters: calibration.lensPosition)
  }
}

extension CapabilitiesReport {
  /// Makes the report of a streaming camera.
  init(
    _ capabilities: CameraCapabilities, of camera: CameraDescription,
    _ stream: ResolvedStreamConfiguration, flashModes: [FlashMode], lamps: [String]
  ) {
    let brackets = Bracket.Kind.allCases.filter { kind in
      switch kind {
      case .lamp: lamps.count >= Bracket.counts.lowerBound
      case .exposureBias, .exposureDuration: capabilities.exposureModes.contains(.custom)
      case .lensPosition:
        capabilities.focusModes.contains(.locked) && capabilities.lensPositions != nil
      }
    }
    self.init(
      camera: camera.id, brackets: brackets.map { Word($0) },
      bracketFrames: min(stream.leasedFrameCount, Bracket.counts.upperBound),
      flashModes: flashModes.map { Word($0) }, raw: RawReport(capabilities.rawFormat, stream.raw),
      preview: (stream.preview?.size).map { SizeReport(width: $0.width, height: $0.height) },
      lamps: lamps)
  }
}

extension ScaleReport {
  init(_ kept: CameraScale, _ measured: SheetScale, configured: Double?) {
    self.init(
      pixelsPerInch: kept.pixelsPerInch, horizontal: measured.horizontal,
      vertical: measured.vertical, angleDegrees: measured.angle, keystone: measured.keystone,
      frameSize: SizeReport(width: kept.frameSize.width, height: kept.frameSize.height),
      diopters: kept.lensPosition, configuredPixelsPerInch: configured)
  }
}

extension SessionSettings {
  /// Applies the values that a change names.
  mutating func apply(_ change: SessionChange) {
    if let camera = change.camera { self.camera = CameraRole(rawValue: camera) }
    if let preset = change.size.flatMap({ SessionPreset($0) }) { self.preset = preset }
    switch change.frameRate {
    case .own?: frameRate = nil
    case .fixed(let rate)?: frameRate = rate
    case nil: break
    }
    controls.apply(change)
    prioritization = change.prioritization ?? prioritization
    isFastCapturePrioritized = change.fastCapture ?? isFastCapturePrioritized
    flashMode = change.flash ?? flashMode
  }
}

extension SessionPreset {
  fileprivate init?(_ wish: SizeSetting) {
    switch wish {
    case .custom(let width, let height):
      self = .custom(FrameSize(width: width, height: height))
    case .preset(let name):
      let presets: [SessionPreset] = [.document, .hd1920x1080, .photo]
      guard let preset = presets.first(where: { $0.description == name }) else { return nil }
      self = preset
    }
  }
}

extension APIError {
  /// Makes the API's error for a failed change: the valid settings first, the cause last.
  init(_ failure: ConfigurationFailure) {
    let code: Code =
      switch failure.consequence {
      case .refused: .configurationRefused
      case .rolledBack: .configurationRolledBack
      case .interrupted: .configurationInterrupted
      }
    let text = failure.description
    self.init(code, "\(text.prefix(1).uppercased())\(text.dropFirst()).")
  }

  /// Makes the API's error for an error of a device.
  init(_ error: DeviceError) {
    let code: Code =
      switch error.code {
      case .unsupported, .misconfigured: .unsupported
      case .timedOut: .timedOut
      case .absent: .conflict
      default: .unavailable
      }
    self.init(code, "\(error).")
  }
}
