/// What a session is to do without for now, whatever the cause.
public struct CaptureConstraints: Sendable, Hashable {
  /// How presses are taken.
  public enum Shots: Sendable, Hashable {
    /// As always.
    case unlimited
    /// At most one in this time; a press that comes too early is refused.
    case spaced(Duration)
    /// None.
    case refused
  }

  /// How the preview runs.
  public enum Preview: Sendable, Hashable {
    /// As it likes.
    case unlimited
    /// At most so many frames a second, above 0.
    case limited(framesPerSecond: Double)
    /// Not at all.
    case stopped
  }

  /// The most frames a second that the camera may take, above 0; `nil` for as many as configured.
  public var maximumFrameRate: Double?
  /// How the preview runs.
  public var preview: Preview
  /// How presses are taken.
  public var shots: Shots

  /// Makes constraints; nothing is constrained by default.
  public init(
    maximumFrameRate: Double? = nil, preview: Preview = .unlimited, shots: Shots = .unlimited
  ) {
    self.maximumFrameRate = maximumFrameRate
    self.preview = preview
    self.shots = shots
  }

  /// No constraints.
  public static let none = CaptureConstraints()
}
