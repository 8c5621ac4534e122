public import Devices

/// What is asked of a camera in the end: the settings, its calibration, and what it offers.
///
/// - What the settings fix (`custom`, `locked`) holds. What they leave to the camera or to an
///   automatic is fixed by the calibration, if the camera has one.
/// - The prioritization comes to a noise reduction, unless the settings name one:
///
/// | prioritization | noise reduction, the first that the camera has |
/// |---|---|
/// | speed | `minimal`, `fast` |
/// | balanced | `fast`, `minimal` |
/// | quality | `highQuality`, `fast`, `minimal` |
///
/// - What a camera has not is refused by name when it is set; only a standby, which takes over
///   unasked, does without it.
public struct ResolvedCameraControls: Sendable, Hashable {
  /// What is set.
  public var controls: CameraControls
  /// Whether a calibration fixes something of it.
  public var isCalibrated: Bool
  /// Where it differs from the settings and where nothing is offered, one sentence each.
  public var notes: [String]

  /// Makes controls from what is known.
  ///
  /// - Parameters:
  ///   - settings: what is wanted.
  ///   - calibration: what the camera's automatics had settled on.
  ///   - lensPosition: where the lens was focused once, in dioptres; goes before the calibration.
  ///   - capabilities: what the camera offers.
  ///   - isStandby: whether the camera does without what it has not.
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

  /// Leaves out one control after the other until the camera can have the rest.
  private mutating func doWithout(_ capabilities: CameraCapabilities) {
    let resets: [(inout CameraControls) -> Void] = [
      { $0.exposureMode = nil }, { $0.whiteBalanceMode = nil }, { $0.focusMode = nil },
      { $0.videoZoomFactor = 1 }, { $0.flickerAvoidance = .off }, { $0.noiseReduction = nil },
    ]
    for reset in resets {
      guard let refusal = capabilities.refusal(of: controls) else { return }
      var without = controls
      reset(&without)
      guard capabilities.refusal(of: without) != refusal else { continue }
      controls = without
      notes.append("the standby does without: \(refusal)")
    }
  }
}

extension QualityPrioritization {
  /// What it comes to, the best first (libcamera's `draft::NoiseReductionMode`).
  var noiseReductions: [CameraControls.NoiseReduction] {
    switch self {
    case .speed: [.minimal, .fast]
    case .balanced: [.fast, .minimal]
    case .quality: [.highQuality, .fast, .minimal]
    }
  }
}

extension CameraControls {
  /// Whether an aspect is set by hand, so that no automatic runs for it.
  func fixes(_ aspect: ConvergenceDetector.Aspect) -> Bool {
    switch aspect {
    case .exposure: exposureMode.map { $0.kind != .continuousAutoExposure } ?? false
    case .whiteBalance: whiteBalanceMode.map { $0.kind != .continuousAutoWhiteBalance } ?? false
    case .focus: focusMode?.kind == .locked
    }
  }

  /// With automatics for what is looked at.
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
