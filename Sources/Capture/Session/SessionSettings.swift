package import Devices

/// The role of a camera; an open set, spelled as in the configuration.
package struct CameraRole: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The role's spelling.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// The default camera.
  package static let main = CameraRole(rawValue: "main")

  /// The spelling.
  package var description: String { rawValue }
}

/// The size of the pictures (`AVCaptureSession.Preset`).
package enum SessionPreset: Sendable, Hashable, CustomStringConvertible {
  /// 1024 × 768 pixels, for a page to be read, not printed.
  case document
  /// 1920 × 1080 pixels.
  case hd1920x1080
  /// The largest picture that the camera has.
  case photo
  /// A custom size.
  case custom(FrameSize)

  /// The preset's spelling in the configuration.
  package var description: String {
    switch self {
    case .document: "document"
    case .hd1920x1080: "1080p"
    case .photo: "full"
    case .custom(let size): size.description
    }
  }

  /// Returns the size to ask a camera for; the camera takes its closest size.
  package func size(for camera: CameraDescription) -> FrameSize {
    fixedSize ?? camera.largestSize ?? FrameSize(width: 1920, height: 1080)
  }

  /// The size that the preset has for all cameras; `nil` when it depends on the camera.
  package var fixedSize: FrameSize? {
    switch self {
    case .document: FrameSize(width: 1024, height: 768)
    case .hd1920x1080: FrameSize(width: 1920, height: 1080)
    case .photo: nil
    case .custom(let size): size
    }
  }
}

/// The settings that can change while a session runs, as one atomic change.
///
/// See ``CaptureSession/configure(_:)``.
package struct SessionSettings: Sendable, Hashable {
  /// The camera that is used.
  package var camera: CameraRole = .main
  /// The size of the pictures.
  package var preset: SessionPreset
  /// The wanted frames per second, above 0; `nil` keeps the camera's own.
  package var frameRate: Double?
  /// The prioritization for presses that do not set one.
  package var prioritization: QualityPrioritization = .balanced
  /// Whether quality may be lowered before presses have to be refused.
  package var isFastCapturePrioritized: Bool = true
  /// The flash mode of presses that do not set one; `nil` is `on` with a lamp.
  package var flashMode: FlashMode?
  /// The controls of the camera.
  ///
  /// The camera's calibration may fix aspects left to the camera, and ``prioritization`` selects
  /// the noise reduction; see ``ResolvedCameraControls``.
  package var controls: CameraControls = CameraControls()

  /// Returns whether a stream with other settings has to be restarted for these.
  func needsNewStream(after other: SessionSettings) -> Bool {
    camera != other.camera || preset != other.preset || frameRate != other.frameRate
  }

  /// Returns whether a picture has as many pixels of the same page.
  func showsSame(as other: SessionSettings) -> Bool {
    preset == other.preset && controls.videoZoomFactor == other.controls.videoZoomFactor
  }

  /// The error of settings that no camera can have: a number out of range, by name.
  var refusal: DeviceError? {
    if let frameRate, !(frameRate > 0 && frameRate.isFinite) {
      return DeviceError(
        .unsupported, device: "\(camera)", problem: "cannot take \(frameRate) frames a second")
    }
    if case .custom(let size) = preset, size.width < 1 || size.height < 1 {
      return DeviceError(
        .unsupported, device: "\(camera)", problem: "cannot take pictures of \(size) pixels")
    }
    return nil
  }
}

/// The committed settings as the camera resolved them.
package struct ResolvedSessionSettings: Sendable, Hashable {
  /// The settings as wanted.
  package var settings: SessionSettings
  /// The camera in use; `nil` while there is none and the settings wait for one.
  package var camera: CameraDescription?
  /// The resolved stream, with a sentence for each difference.
  package var stream: ResolvedStreamConfiguration?
  /// The resolved controls, with a sentence for each difference; `nil` while no camera streams.
  ///
  /// They are exposure, white balance, focus, zoom and noise reduction.
  package var controls: ResolvedCameraControls?
}

/// The failure of a change of settings.
package struct ConfigurationFailure: Error, Hashable, CustomStringConvertible {
  /// The state after the failure.
  package enum Consequence: String, Sendable, Hashable {
    /// The old settings hold; the stream was not touched.
    case refused
    /// The old settings hold; the stream was interrupted and runs with them again.
    case rolledBack
    /// The old settings hold, but the camera could not be started with them; the session retries.
    case interrupted
  }

  /// The state after the failure.
  package let consequence: Consequence
  /// The camera's error.
  package let error: DeviceError

  package init(_ consequence: Consequence, _ error: DeviceError) {
    self.consequence = consequence
    self.error = error
  }

  /// The failure in one sentence: the state after the failure, then the cause.
  package var description: String {
    let kept =
      switch consequence {
      case .refused: "the session keeps its configuration"
      case .rolledBack: "the session is back at its old configuration"
      case .interrupted: "the session tries to get back to its old configuration"
      }
    return "\(kept): \(error)"
  }
}
