/// What the rig does without when it is hot.
public struct ThermalConstraints: Sendable, Hashable {
  /// What uploads may do.
  public enum Uploads: String, Sendable, Hashable, CaseIterable {
    /// As their configuration has it.
    case `continue`
    /// One delivery of each target at a time.
    case single
    /// None begins; at *critical* those that run are ended, too.
    case hold
  }

  /// What the session does without.
  public var capture: CaptureConstraints
  /// What uploads may do.
  public var uploads: Uploads

  /// Makes constraints.
  public init(capture: CaptureConstraints = .none, uploads: Uploads = .continue) {
    self.capture = capture
    self.uploads = uploads
  }

  /// No constraints.
  public static let none = ThermalConstraints()
}

/// Says what is taken away in which thermal state.
///
/// | state | frame rate | preview | uploads | presses |
/// |---|---|---|---|---|
/// | nominal, fair | – | – | – | – |
/// | serious | ``frameRate`` | ``previewFrameRate`` | ``seriousUploads`` | – |
/// | critical | ``frameRate`` | stopped | held | spaced, or refused |
public struct ThermalPolicy: Sendable, Hashable {
  /// The most frames a second from *serious* on, above 0.
  public var frameRate: Double
  /// The most frames a second of the preview at *serious*, above 0.
  public var previewFrameRate: Double
  /// What uploads may do at *serious*.
  public var seriousUploads: ThermalConstraints.Uploads
  /// The time between two presses at *critical*; `nil` refuses them.
  public var criticalSpacing: Duration?

  /// Makes a policy.
  public init(
    frameRate: Double = 5, previewFrameRate: Double = 2,
    seriousUploads: ThermalConstraints.Uploads = .single, criticalSpacing: Duration? = nil
  ) {
    self.frameRate = frameRate
    self.previewFrameRate = previewFrameRate
    self.seriousUploads = seriousUploads
    self.criticalSpacing = criticalSpacing
  }

  /// What the rig does without in a state.
  public func constraints(in state: ThermalState) -> ThermalConstraints {
    switch state {
    case .nominal, .fair: .none
    case .serious:
      ThermalConstraints(
        capture: CaptureConstraints(
          maximumFrameRate: frameRate, preview: .limited(framesPerSecond: previewFrameRate)),
        uploads: seriousUploads)
    case .critical:
      ThermalConstraints(
        capture: CaptureConstraints(
          maximumFrameRate: frameRate, preview: .stopped,
          shots: criticalSpacing.map { .spaced($0) } ?? .refused),
        uploads: .hold)
    }
  }
}
