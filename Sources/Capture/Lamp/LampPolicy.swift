/// When a session lights its lamp.
public struct LampPolicy: Sendable, Hashable {
  /// The occasions.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// As long as a camera streams for the session: dark while it is stopped, while the camera is
    /// lost, and after the end.
    case session
    /// From a press, or the button that foretells one, until its frame is chosen.
    case shot
  }

  /// The occasions.
  public var mode: Mode
  /// How long it is lit before an exposure counts, 0 or more.
  public var leadTime: Duration
  /// How long it stays lit after the last shot, 0 or more; only with ``Mode/shot``.
  public var holdTime: Duration

  /// Makes a policy.
  public init(
    mode: Mode = .session, leadTime: Duration = .milliseconds(200), holdTime: Duration = .zero
  ) {
    self.mode = mode
    self.leadTime = max(leadTime, .zero)
    self.holdTime = max(holdTime, .zero)
  }
}

/// How the lamp of a session stands.
public struct LampStatus: Sendable, Hashable {
  /// Whether it is lit, as far as it obeyed.
  public var isLit: Bool
  /// What was wrong when it was switched last; `nil` when it obeyed.
  public var fault: String?

  /// Makes the status of a lamp.
  public init(isLit: Bool = false, fault: String? = nil) {
    self.isLit = isLit
    self.fault = fault
  }
}
