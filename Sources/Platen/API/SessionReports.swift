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
    let controls = settings.controls
    self.init(
      camera: settings.camera.rawValue, preset: preset, size: size,
      frameRate: settings.frameRate.map { .fixed($0) } ?? .own,
      zoom: controls.videoZoomFactor, exposure: ExposureWish(controls.exposureMode),
      whiteBalance: WhiteBalanceWish(controls.whiteBalanceMode),
      focus: FocusWish(controls.focusMode), flicker: FlickerWish(controls.flickerAvoidance),
      prioritization: settings.prioritization.rawValue,
      fastCapture: settings.isFastCapturePrioritized)
  }
}

extension ControlsReport {
  init(_ resolved: ResolvedCameraControls) {
    let controls = resolved.controls
    self.init(
      zoom: controls.videoZoomFactor, exposure: ExposureWish(controls.exposureMode),
      whiteBalance: WhiteBalanceWish(controls.whiteBalanceMode),
      focus: FocusWish(controls.focusMode), flicker: FlickerWish(controls.flickerAvoidance),
      noiseReduction: controls.noiseReduction?.rawValue, isCalibrated: resolved.isCalibrated,
      notes: resolved.notes)
  }
}

extension CalibrationReport {
  init(_ calibration: CameraCalibration) {
    self.init(
      exposureMicroseconds: calibration.exposureDuration.map { $0.inMilliseconds * 1000 },
      gain: calibration.analogueGain, redGain: calibration.whiteBalanceGains?.red,
      blueGain: calibration.whiteBalanceGains?.blue, dioptres: calibration.lensPosition)
  }
}

extension ScaleReport {
  init(_ kept: CameraScale, _ measured: SheetScale, configured: Double?) {
    self.init(
      pixelsPerInch: kept.pixelsPerInch, horizontal: measured.horizontal,
      vertical: measured.vertical, angleDegrees: measured.angle, keystone: measured.keystone,
      frameSize: SizeReport(width: kept.frameSize.width, height: kept.frameSize.height),
      dioptres: kept.lensPosition, configuredPixelsPerInch: configured)
  }
}

extension SessionSettings {
  /// Applies the values that a change names; skips words that the API does not allow.
  mutating func apply(_ change: SessionChange) {
    if let camera = change.camera { self.camera = CameraRole(rawValue: camera) }
    if let preset = change.size.flatMap({ SessionPreset($0) }) { self.preset = preset }
    switch change.frameRate {
    case .own?: frameRate = nil
    case .fixed(let rate)?: frameRate = rate
    case nil: break
    }
    if let zoom = change.zoom { controls.videoZoomFactor = zoom }
    if let exposure = change.exposure { controls.exposureMode = exposure.mode }
    if let whiteBalance = change.whiteBalance { controls.whiteBalanceMode = whiteBalance.mode }
    if let focus = change.focus { controls.focusMode = focus.mode }
    if let flicker = change.flicker { controls.flickerAvoidance = flicker.avoidance }
    prioritization =
      change.prioritization.flatMap { QualityPrioritization(rawValue: $0) } ?? prioritization
    isFastCapturePrioritized = change.fastCapture ?? isFastCapturePrioritized
  }
}

extension SessionPreset {
  fileprivate init?(_ wish: SizeWish) {
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

extension ExposureWish {
  fileprivate init(_ mode: CameraControls.ExposureMode?) {
    switch mode {
    case nil: self = .own
    case .continuousAutoExposure?: self = .auto
    case .locked?: self = .locked
    case .custom(let duration, let gain)?:
      self = .fixed(durationMicroseconds: duration.inMilliseconds * 1000, gain: gain)
    }
  }

  fileprivate var mode: CameraControls.ExposureMode? {
    switch self {
    case .own: nil
    case .auto: .continuousAutoExposure
    case .locked: .locked
    case .fixed(let microseconds, let gain):
      .custom(duration: .nanoseconds(Int64((microseconds * 1000).rounded())), gain: gain)
    }
  }
}

extension WhiteBalanceWish {
  fileprivate init(_ mode: CameraControls.WhiteBalanceMode?) {
    switch mode {
    case nil: self = .own
    case .continuousAutoWhiteBalance?: self = .auto
    case .locked?: self = .locked
    case .custom(let gains)?: self = .fixed(red: gains.red, blue: gains.blue)
    }
  }

  fileprivate var mode: CameraControls.WhiteBalanceMode? {
    switch self {
    case .own: nil
    case .auto: .continuousAutoWhiteBalance
    case .locked: .locked
    case .fixed(let red, let blue): .custom(WhiteBalanceGains(red: red, blue: blue))
    }
  }
}

extension FocusWish {
  fileprivate init(_ mode: CameraControls.FocusMode?) {
    switch mode {
    case nil: self = .own
    case .continuousAutoFocus?: self = .continuous
    case .autoFocus?: self = .auto
    case .locked(nil)?: self = .locked
    case .locked(let position?)?: self = .fixed(dioptres: position)
    }
  }

  fileprivate var mode: CameraControls.FocusMode? {
    switch self {
    case .own: nil
    case .continuous: .continuousAutoFocus
    case .auto: .autoFocus
    case .locked: .locked(lensPosition: nil)
    case .fixed(let dioptres): .locked(lensPosition: dioptres)
    }
  }
}

extension FlickerWish {
  fileprivate init(_ avoidance: CameraControls.FlickerAvoidance) {
    switch avoidance {
    case .off: self = .off
    case .hertz50: self = .hertz50
    case .hertz60: self = .hertz60
    }
  }

  fileprivate var avoidance: CameraControls.FlickerAvoidance {
    switch self {
    case .off: .off
    case .hertz50: .hertz50
    case .hertz60: .hertz60
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
