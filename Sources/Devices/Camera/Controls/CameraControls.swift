/// What is asked of a camera's exposure, white balance, focus, zoom and noise reduction.
///
/// The words are AVFoundation's (`AVCaptureDevice`). Each value is whole: what it does not mention
/// goes back to ``init()``. What a camera cannot do is refused by name and nothing of the value is
/// applied; ``CameraCapabilities`` says beforehand what it can do.
public struct CameraControls: Sendable, Hashable, Codable {
  /// How the exposure is found; `nil` leaves it to the camera, which every camera accepts.
  public var exposureMode: ExposureMode?
  /// How the white balance is found; `nil` leaves it to the camera, which every camera accepts.
  public var whiteBalanceMode: WhiteBalanceMode?
  /// How the focus is found; `nil` leaves it to the camera: continuous where it can, else as it is.
  public var focusMode: FocusMode?
  /// By how much the field of view is narrowed by cropping, 1 or more; 1 is the whole field, which
  /// every camera accepts.
  public var videoZoomFactor: Double
  /// Which mains frequency the automatic exposure must not beat with.
  public var flickerAvoidance: FlickerAvoidance
  /// How much is done about noise; `nil` leaves it to the camera, which every camera accepts.
  public var noiseReduction: NoiseReduction?

  /// Makes controls; without arguments all is left to the camera, which every camera accepts.
  public init(
    exposureMode: ExposureMode? = nil, whiteBalanceMode: WhiteBalanceMode? = nil,
    focusMode: FocusMode? = nil, videoZoomFactor: Double = 1,
    flickerAvoidance: FlickerAvoidance = .off, noiseReduction: NoiseReduction? = nil
  ) {
    self.exposureMode = exposureMode
    self.whiteBalanceMode = whiteBalanceMode
    self.focusMode = focusMode
    self.videoZoomFactor = videoZoomFactor
    self.flickerAvoidance = flickerAvoidance
    self.noiseReduction = noiseReduction
  }
}

extension CameraControls {
  /// What differs from other controls, the rest left to the camera.
  public func changes(from other: CameraControls) -> CameraControls {
    var changes = self
    if exposureMode == other.exposureMode { changes.exposureMode = nil }
    if whiteBalanceMode == other.whiteBalanceMode { changes.whiteBalanceMode = nil }
    if focusMode == other.focusMode { changes.focusMode = nil }
    if videoZoomFactor == other.videoZoomFactor { changes.videoZoomFactor = 1 }
    if flickerAvoidance == other.flickerAvoidance { changes.flickerAvoidance = .off }
    if noiseReduction == other.noiseReduction { changes.noiseReduction = nil }
    return changes
  }

  /// The exposure that is asked for; zero when it is left to the camera, which keeps it within a
  /// frame.
  public var longestExposure: Duration {
    if case .custom(let duration, _) = exposureMode { duration } else { .zero }
  }
}

extension CameraControls {
  /// How the exposure is found (`AVCaptureDevice.ExposureMode`).
  public enum ExposureMode: Sendable, Hashable, Codable {
    /// The camera follows the light.
    case continuousAutoExposure
    /// The exposure stays what it is; at a start that is whatever the camera begins with.
    case locked
    /// A fixed exposure: how long each row is exposed, and the gain before the converter as a
    /// factor. Frames become slower when the exposure does not fit into one.
    case custom(duration: Duration, gain: Double)

    /// A mode without its numbers.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// ``ExposureMode/continuousAutoExposure``.
      case continuousAutoExposure
      /// ``ExposureMode/locked``.
      case locked
      /// ``ExposureMode/custom(duration:gain:)``.
      case custom
    }

    /// The mode without its numbers.
    public var kind: Kind {
      switch self {
      case .continuousAutoExposure: .continuousAutoExposure
      case .locked: .locked
      case .custom: .custom
      }
    }
  }

  /// How the white balance is found (`AVCaptureDevice.WhiteBalanceMode`).
  public enum WhiteBalanceMode: Sendable, Hashable, Codable {
    /// The camera follows the light's colour.
    case continuousAutoWhiteBalance
    /// The gains stay what they are; at a start that is whatever the camera begins with.
    case locked
    /// Fixed gains.
    case custom(WhiteBalanceGains)

    /// A mode without its numbers.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// ``WhiteBalanceMode/continuousAutoWhiteBalance``.
      case continuousAutoWhiteBalance
      /// ``WhiteBalanceMode/locked``.
      case locked
      /// ``WhiteBalanceMode/custom(_:)``.
      case custom
    }

    /// The mode without its numbers.
    public var kind: Kind {
      switch self {
      case .continuousAutoWhiteBalance: .continuousAutoWhiteBalance
      case .locked: .locked
      case .custom: .custom
      }
    }
  }

  /// How the focus is found (`AVCaptureDevice.FocusMode`).
  public enum FocusMode: Sendable, Hashable, Codable {
    /// The camera follows the subject's distance.
    case continuousAutoFocus
    /// The camera looks for the focus once, then keeps it; each time that it is set.
    case autoFocus
    /// The lens stays: at a position in dioptres (0 is infinity, 2 is half a metre), with `nil`
    /// where it is.
    case locked(lensPosition: Double?)

    /// A mode without its number.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// ``FocusMode/continuousAutoFocus``.
      case continuousAutoFocus
      /// ``FocusMode/autoFocus``.
      case autoFocus
      /// ``FocusMode/locked(lensPosition:)``.
      case locked
    }

    /// The mode without its number.
    public var kind: Kind {
      switch self {
      case .continuousAutoFocus: .continuousAutoFocus
      case .autoFocus: .autoFocus
      case .locked: .locked
      }
    }
  }

  /// Which mains frequency the automatic exposure must not beat with (libcamera's `AeFlickerMode`).
  ///
  /// Lamps flicker at twice the frequency; an exposure that is no multiple of that period shows
  /// bands.
  public enum FlickerAvoidance: String, Sendable, Hashable, Codable, CaseIterable {
    /// None, which every camera accepts.
    case off
    /// 50 Hz: exposures in steps of 10 ms.
    case hertz50 = "50"
    /// 60 Hz: exposures in steps of 8.33 ms.
    case hertz60 = "60"
  }

  /// How much is done about noise (libcamera's `NoiseReductionMode`).
  ///
  /// It is what a quality prioritization of *speed*, *balanced* and *quality* comes to, in this
  /// order.
  public enum NoiseReduction: String, Sendable, Hashable, Codable, CaseIterable {
    /// As little as possible, for *speed*.
    case minimal
    /// What does not slow the camera down, for *balanced*.
    case fast
    /// The best, for *quality*.
    case highQuality
  }
}

/// Gains of red and blue against green (libcamera's `ColourGains`).
public struct WhiteBalanceGains: Sendable, Hashable, Codable {
  /// The gain of red as a factor, above 0.
  public var red: Double
  /// The gain of blue as a factor, above 0.
  public var blue: Double

  /// Makes gains.
  public init(red: Double, blue: Double) {
    self.red = red
    self.blue = blue
  }
}
