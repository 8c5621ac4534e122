public import Devices

/// What a camera is for; an open set, spelled as the configuration has it.
public struct CameraRole: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The role's spelling.
  public let rawValue: String

  /// Makes a role from its spelling.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The camera that is used unless something else is said.
  public static let main = CameraRole(rawValue: "main")

  /// The spelling.
  public var description: String { rawValue }
}

/// How large the pictures are to be (`AVCaptureSession.Preset`).
public enum SessionPreset: Sendable, Hashable, CustomStringConvertible {
  /// 1024 × 768 pixels: a page to be read, not printed.
  case document
  /// 1920 × 1080 pixels.
  case hd1920x1080
  /// The largest picture that the camera has.
  case photo
  /// A size of one's own.
  case custom(FrameSize)

  /// The preset in words, as the configuration has it.
  public var description: String {
    switch self {
    case .document: "document"
    case .hd1920x1080: "1080p"
    case .photo: "full"
    case .custom(let size): size.description
    }
  }

  /// The size to ask a camera for; it takes the closest that it has.
  public func size(for camera: CameraDescription) -> FrameSize {
    fixedSize ?? camera.largestSize ?? FrameSize(width: 1920, height: 1080)
  }

  /// The size that the preset has for all cameras; `nil` when it depends on the camera.
  public var fixedSize: FrameSize? {
    switch self {
    case .document: FrameSize(width: 1024, height: 768)
    case .hd1920x1080: FrameSize(width: 1920, height: 1080)
    case .photo: nil
    case .custom(let size): size
    }
  }
}

/// What may be changed while a session runs, as one atomic change; see
/// ``CaptureSession/configure(_:)``.
public struct SessionSettings: Sendable, Hashable {
  /// Which camera is used.
  public var camera: CameraRole
  /// How large the pictures are to be.
  public var preset: SessionPreset
  /// Wanted frames a second, above 0; `nil` leaves the camera's own.
  public var frameRate: Double?
  /// What counts more, for presses that do not say.
  public var prioritization: QualityPrioritization
  /// Whether quality may be lowered before presses have to be refused.
  public var isFastCapturePrioritized: Bool
  /// Exposure, white balance, focus, zoom by crop, flicker avoidance and noise reduction.
  ///
  /// What is left to the camera may be fixed by its calibration, and the noise reduction by
  /// ``prioritization``; see ``ResolvedCameraControls``.
  public var controls: CameraControls

  /// Makes settings.
  public init(
    camera: CameraRole = .main, preset: SessionPreset, frameRate: Double? = nil,
    prioritization: QualityPrioritization = .balanced, isFastCapturePrioritized: Bool = true,
    controls: CameraControls = CameraControls()
  ) {
    self.camera = camera
    self.preset = preset
    self.frameRate = frameRate
    self.prioritization = prioritization
    self.isFastCapturePrioritized = isFastCapturePrioritized
    self.controls = controls
  }

  /// Whether a stream with other settings has to be started anew for these.
  func needsNewStream(after other: SessionSettings) -> Bool {
    camera != other.camera || preset != other.preset || frameRate != other.frameRate
  }

  /// Whether a picture has as many pixels of the same page.
  func showsSame(as other: SessionSettings) -> Bool {
    preset == other.preset && controls.videoZoomFactor == other.controls.videoZoomFactor
  }

  /// Why no camera can have these: a number that is none, as an error with its name.
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

/// What became of settings that were committed.
public struct ResolvedSessionSettings: Sendable, Hashable {
  /// The settings, as they were wanted.
  public var settings: SessionSettings
  /// The camera in use; `nil` while there is none, and the settings hold for when there is.
  public var camera: CameraDescription?
  /// What the camera made of them, with a sentence for each difference.
  public var stream: ResolvedStreamConfiguration?
  /// What exposure, white balance, focus, zoom and noise reduction came to, with a sentence for
  /// each difference; `nil` while no camera streams.
  public var controls: ResolvedCameraControls?

  /// Makes a description of what became of settings.
  public init(
    settings: SessionSettings, camera: CameraDescription?, stream: ResolvedStreamConfiguration?,
    controls: ResolvedCameraControls? = nil
  ) {
    self.controls = controls
    self.settings = settings
    self.camera = camera
    self.stream = stream
  }
}

/// Why settings were not taken.
public struct ConfigurationFailure: Error, Hashable, CustomStringConvertible {
  /// What holds after the failure.
  public enum Consequence: String, Sendable, Hashable {
    /// The old settings hold; the stream was not touched.
    case refused
    /// The old settings hold; the stream was interrupted and runs with them again.
    case rolledBack
    /// The old settings hold, but the camera could not be started with them either; the session
    /// goes on trying.
    case interrupted
  }

  /// What holds now.
  public let consequence: Consequence
  /// What the camera said.
  public let error: DeviceError

  /// Makes a failure.
  public init(_ consequence: Consequence, _ error: DeviceError) {
    self.consequence = consequence
    self.error = error
  }

  /// One sentence: what holds now, the cause last.
  public var description: String {
    let kept =
      switch consequence {
      case .refused: "the session keeps its configuration"
      case .rolledBack: "the session is back at its old configuration"
      case .interrupted: "the session tries to get back to its old configuration"
      }
    return "\(kept): \(error)"
  }
}
