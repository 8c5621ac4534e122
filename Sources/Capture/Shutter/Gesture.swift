/// What a hand does with a button.
public enum Gesture: String, Sendable, Hashable, Codable, CaseIterable {
  /// Pressed once.
  case single
  /// Pressed twice, quickly.
  case double
  /// Held for a while.
  case long
  /// Held until the machine is armed, and not called off within the window that follows.
  case hold
}

/// Which gestures a button has, and how they are told apart.
public struct GestureSettings: Sendable, Hashable {
  /// The gestures that have an action; at least one.
  public var bound: Set<Gesture>
  /// From the first push to the second one of a ``Gesture/double``, at most.
  public var doubleWithin: Duration
  /// From the push until it is ``Gesture/long``.
  public var longAfter: Duration
  /// From the push until the machine is armed; longer than ``longAfter``.
  public var holdAfter: Duration
  /// How long the armed machine can be called off.
  public var cancelWithin: Duration
  /// From the push until the button counts as stuck; longer than any gesture.
  public var stuckAfter: Duration

  /// Makes settings.
  public init(
    bound: Set<Gesture> = [.single], doubleWithin: Duration = .milliseconds(400),
    longAfter: Duration = .milliseconds(800), holdAfter: Duration = .seconds(3),
    cancelWithin: Duration = .seconds(5), stuckAfter: Duration = .seconds(30)
  ) {
    self.bound = bound
    self.doubleWithin = doubleWithin
    self.longAfter = longAfter
    self.holdAfter = holdAfter
    self.cancelWithin = cancelWithin
    self.stuckAfter = stuckAfter
  }
}
