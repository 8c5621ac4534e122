package import Devices

/// The controls set on a camera, resolved from settings, calibration and capabilities.
///
/// - Values fixed by the settings (`custom`, `locked`) hold. The calibration, if the camera has
///   one, fixes the aspects that the settings leave to the camera or to an automatic.
/// - The prioritization selects a noise reduction, unless the settings name one:
///
/// | prioritization | noise reduction, the first that the camera has |
/// |---|---|
/// | speed | `minimal`, `fast` |
/// | balanced | `fast`, `minimal` |
/// | quality | `highQuality`, `fast`, `minimal` |
///
/// - A control that the camera lacks is refused by name when it is set; only a standby, which takes
///   over automatically, drops such controls.
package struct ResolvedCameraControls: Sendable, Hashable {
  /// The controls to set.
  package var controls: CameraControls
  /// Whether a calibration fixes any of the controls.
  package var isCalibrated: Bool
  /// The differences from the settings and the controls not offered, one sentence each.
  package var notes: [String]

  /// Resolves the controls.
  ///
  /// - Parameters:
  ///   - settings: the wanted settings.
  ///   - calibration: the values that the camera's automatics had settled on.
  ///   - lensPosition: the lens position of an earlier single focus run, in diopters; takes
  ///     precedence over the calibration.
  ///   - capabilities: the camera's capabilities.
  ///   - isStandby: whether controls that the camera lacks are dropped.
  init(
    _ settings: SessionSettings, calibration: CameraCalibration?, lensPosition: Double? = nil,
    capabilities: CameraCapabilities, isStandby: Bool = false
  ) {
    controls = settings.controls
    isCalibrated = false
    notes = []
    if isStandby { doWithout(capabilities) }
    if let calibration { apply(calibration.limited(to: capabilities)) }
    if let lensPosition, !settings.controls.fixes(.focus),
      capabilities.focusModes.contains(.locked)
    {
      controls.focusMode = .locked(lensPosition: lensPosition)
    }
    resolveNoiseReduction(settings.prioritization, capabilities)
  }

  private mutating func apply(_ calibration: CameraCalibration) {
    let aspects = ConvergenceDetector.Aspect.allCases.filter {
      calibration.has($0) && !controls.fixes($0)
    }
    guard !aspects.isEmpty else { return }
    controls = calibration.only(Set(aspects)).applied(to: controls)
    isCalibrated = true
    notes.append("\(aspects.names) fixed by the camera's calibration")
  }

  private mutating func resolveNoiseReduction(
    _ prioritization: QualityPrioritization, _ capabilities: CameraCapabilities
  ) {
    guard controls.noiseReduction == nil else { return }
    controls.noiseReduction = prioritization.noiseReductions.first {
      capabilities.noiseReductions.contains($0)
    }
    if controls.noiseReduction == nil {
      notes.append("the camera offers no noise reduction for \"\(prioritization.rawValue)\"")
    }
  }

  /// Drops each control that the camera refuses.
  private mutating func doWithout(_ capabilities: CameraCapabilities) {
    let wanted = controls
    func isRefused(_ alone: CameraControls) -> Bool {
      guard let refusal = capabilities.refusal(of: alone) else { return false }
      notes.append("the standby does without: \(refusal)")
      return true
    }
    for control in CameraControl.allCases {
      var alone = CameraControls()
      alone.copy(control, from: wanted)
      if isRefused(alone) { controls.copy(control, from: CameraControls()) }
    }
    for control in ImageControl.allCases {
      let alone = CameraControls(image: wanted.image.filter { $0.key == control })
      if isRefused(alone) { controls.image[control] = nil }
    }
  }
}

extension QualityPrioritization {
  /// The matching noise reductions, the best first (libcamera's `draft::NoiseReductionMode`).
  var noiseReductions: [CameraControls.NoiseReduction] {
    switch self {
    case .speed: [.minimal, .fast]
    // On a Raspberry Pi 4, the best noise reduction lowers the frame rate of the stream.
    case .balanced: [.fast, .minimal]
    case .quality: [.highQuality, .fast, .minimal]
    }
  }
}

extension CameraControls {
  /// Returns whether an aspect is set by hand, so that no automatic runs for it.
  func fixes(_ aspect: ConvergenceDetector.Aspect) -> Bool {
    switch aspect {
    case .exposure: exposureMode.map { $0.kind != .continuousAutoExposure } ?? false
    case .whiteBalance: whiteBalanceMode.map { $0.kind != .continuousAutoWhiteBalance } ?? false
    case .focus: focusMode?.kind == .locked
    }
  }

  /// Returns the controls with automatics for the given aspects.
  func searching(
    for aspects: Set<ConvergenceDetector.Aspect>, with capabilities: CameraCapabilities
  ) -> CameraControls {
    var controls = self
    if aspects.contains(.exposure) { controls.exposureMode = .continuousAutoExposure }
    if aspects.contains(.whiteBalance) { controls.whiteBalanceMode = .continuousAutoWhiteBalance }
    if aspects.contains(.focus) {
      controls.focusMode =
        capabilities.focusModes.contains(.autoFocus) ? .autoFocus : .continuousAutoFocus
    }
    return controls
  }
}

extension Collection<ConvergenceDetector.Aspect> {
  /// The aspects in words.
  var names: String {
    let words = map { aspect in
      switch aspect {
      case .exposure: "exposure"
      case .whiteBalance: "white balance"
      case .focus: "focus"
      }
    }.sorted()
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}
