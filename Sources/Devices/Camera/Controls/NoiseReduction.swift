extension CameraControls {
  /// The amount of noise reduction (libcamera's `NoiseReductionMode`).
  ///
  /// A prioritization takes the next value where the camera lacks its own.
  package enum NoiseReduction: String, Sendable, Hashable, Codable, CaseIterable {
    /// The least noise reduction, for *speed*.
    case minimal
    /// The noise reduction that does not slow the camera down, for *balanced*.
    case fast
    /// The best noise reduction, for *quality*.
    case highQuality
  }
}

extension CameraControls.NoiseReduction: ControlWord {
  typealias Kind = CameraControls.NoiseReduction
  static let name = "noise reduction"
  static var kinds: WritableKeyPath<CameraCapabilities, Set<Kind>> { \.noiseReductions }
  var kind: CameraControls.NoiseReduction { self }

  func text(_ figure: (Double, String) -> String) -> String? {
    "noise reduction \(rawValue)"
  }
}
