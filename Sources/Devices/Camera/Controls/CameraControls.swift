/// The controls of a camera's exposure, white balance, focus, zoom, noise reduction and image.
///
/// The words are AVFoundation's (`AVCaptureDevice`). Each value is complete: a control that it does
/// not set goes back to ``init()``. A control that a camera lacks is refused by name, and no part
/// of the value is applied. ``CameraCapabilities`` tells beforehand which controls a camera has.
package struct CameraControls: Sendable, Hashable {
  /// The mode of the exposure; `nil` leaves it to the camera, which every camera accepts.
  package var exposureMode: ExposureMode?
  /// The mode of the white balance; `nil` leaves it to the camera, which every camera accepts.
  package var whiteBalanceMode: WhiteBalanceMode?
  /// The mode of the focus; `nil` leaves it to the camera: continuous if possible, else unchanged.
  package var focusMode: FocusMode?
  /// The factor by which cropping narrows the field of view, 1 or more.
  ///
  /// 1 is the whole field, which every camera accepts.
  package var videoZoomFactor: Double
  /// The mains frequency that the automatic exposure must not beat with.
  package var flickerAvoidance: FlickerAvoidance
  /// The amount of noise reduction; `nil` leaves it to the camera, which every camera accepts.
  package var noiseReduction: NoiseReduction?
  /// The controls of the image that are set; the rest is left to the camera.
  package var image: [ImageControl: Double]

  /// Makes controls; without arguments all is left to the camera, which every camera accepts.
  package init(
    exposureMode: ExposureMode? = nil, whiteBalanceMode: WhiteBalanceMode? = nil,
    focusMode: FocusMode? = nil, videoZoomFactor: Double = 1,
    flickerAvoidance: FlickerAvoidance = .off, noiseReduction: NoiseReduction? = nil,
    image: [ImageControl: Double] = [:]
  ) {
    self.exposureMode = exposureMode
    self.whiteBalanceMode = whiteBalanceMode
    self.focusMode = focusMode
    self.videoZoomFactor = videoZoomFactor
    self.flickerAvoidance = flickerAvoidance
    self.noiseReduction = noiseReduction
    self.image = image
  }
}

extension CameraControls {
  /// Returns the controls that differ from others, with the rest left to the camera.
  package func changes(from other: CameraControls) -> CameraControls {
    var changes = self
    if exposureMode == other.exposureMode { changes.exposureMode = nil }
    if whiteBalanceMode == other.whiteBalanceMode { changes.whiteBalanceMode = nil }
    if focusMode == other.focusMode { changes.focusMode = nil }
    if videoZoomFactor == other.videoZoomFactor { changes.videoZoomFactor = 1 }
    if flickerAvoidance == other.flickerAvoidance { changes.flickerAvoidance = .off }
    if noiseReduction == other.noiseReduction { changes.noiseReduction = nil }
    changes.image = image.filter { $0.value != other.image[$0.key] }
    return changes
  }

  /// The exposure of these controls; zero when it is left to the camera.
  ///
  /// An automatic exposure stays within a frame.
  package var longestExposure: Duration {
    if case .custom(let duration, _) = exposureMode { duration } else { .zero }
  }
}

extension CameraControls {
  /// The mode of the exposure (`AVCaptureDevice.ExposureMode`).
  package enum ExposureMode: Sendable, Hashable {
    /// The camera follows the light.
    case continuousAutoExposure
    /// The exposure stays as it is; at a start, that is the camera's initial exposure.
    case locked
    /// A fixed exposure: the duration of each row, and the gain before the converter as a factor.
    ///
    /// Frames become slower when the exposure does not fit into one.
    case custom(duration: Duration, gain: Double)

    /// A mode without its numbers.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// ``ExposureMode/continuousAutoExposure``.
      case continuousAutoExposure
      /// ``ExposureMode/locked``.
      case locked
      /// ``ExposureMode/custom(duration:gain:)``.
      case custom
    }

    /// The mode without its numbers.
    package var kind: Kind {
      switch self {
      case .continuousAutoExposure: .continuousAutoExposure
      case .locked: .locked
      case .custom: .custom
      }
    }
  }

  /// The mode of the white balance (`AVCaptureDevice.WhiteBalanceMode`).
  package enum WhiteBalanceMode: Sendable, Hashable {
    /// The camera follows the light's color.
    case continuousAutoWhiteBalance
    /// The gains stay as they are; at a start, those are the camera's initial gains.
    case locked
    /// Fixed gains.
    case custom(WhiteBalanceGains)

    /// A mode without its numbers.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// ``WhiteBalanceMode/continuousAutoWhiteBalance``.
      case continuousAutoWhiteBalance
      /// ``WhiteBalanceMode/locked``.
      case locked
      /// ``WhiteBalanceMode/custom(_:)``.
      case custom
    }

    /// The mode without its numbers.
    package var kind: Kind {
      switch self {
      case .continuousAutoWhiteBalance: .continuousAutoWhiteBalance
      case .locked: .locked
      case .custom: .custom
      }
    }
  }

  /// The mode of the focus (`AVCaptureDevice.FocusMode`).
  package enum FocusMode: Sendable, Hashable {
    /// The camera follows the subject's distance.
    case continuousAutoFocus
    /// The camera focuses once each time that this mode is set, then keeps the focus.
    case autoFocus
    /// The lens stays at a position in diopters (0 is infinity, 2 is half a meter); `nil` keeps it.
    case locked(lensPosition: Double?)

    /// A mode without its number.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// ``FocusMode/continuousAutoFocus``.
      case continuousAutoFocus
      /// ``FocusMode/autoFocus``.
      case autoFocus
      /// ``FocusMode/locked(lensPosition:)``.
      case locked
    }

    /// The mode without its number.
    package var kind: Kind {
      switch self {
      case .continuousAutoFocus: .continuousAutoFocus
      case .autoFocus: .autoFocus
      case .locked: .locked
      }
    }
  }

  /// The mains frequency that the automatic exposure must not beat with.
  ///
  /// The values are those of libcamera's `AeFlickerMode`. Lamps flicker at twice the frequency; an
  /// exposure that is no multiple of that period shows bands.
  package enum FlickerAvoidance: String, Sendable, Hashable, CaseIterable {
    /// No avoidance, which every camera accepts.
    case off
    /// 50 Hz: exposures in steps of 10 ms.
    case hertz50 = "50"
    /// 60 Hz: exposures in steps of 8.33 ms.
    case hertz60 = "60"
  }

  /// The amount of noise reduction (libcamera's `NoiseReductionMode`).
  ///
  /// The quality prioritizations *speed*, *balanced* and *quality* select the three values in this
  /// order.
  package enum NoiseReduction: String, Sendable, Hashable, Codable, CaseIterable {
    /// The least noise reduction, for *speed*.
    case minimal
    /// The noise reduction that does not slow the camera down, for *balanced*.
    case fast
    /// The best noise reduction, for *quality*.
    case highQuality
  }
}

/// Gains of red and blue against green (libcamera's `ColourGains`).
package struct WhiteBalanceGains: Sendable, Hashable, Codable {
  /// The gain of red as a factor, above 0.
  package var red: Double
  /// The gain of blue as a factor, above 0.
  package var blue: Double

  /// Makes gains.
  package init(red: Double, blue: Double) {
    self.red = red
    self.blue = blue
  }
}
