/// A gesture on a button.
package enum Gesture: String, Sendable, Hashable, Codable, CaseIterable {
  /// Pressed once.
  case single
  /// Pressed twice, quickly.
  case double
  /// Held for a while.
  case long
  /// Held until the machine is armed, and not canceled within the window that follows.
  case hold
}

/// The gestures of a button, and the times that tell them apart.
package struct GestureSettings: Sendable, Hashable {
  /// The gestures that have an action; at least one.
  package var bound: Set<Gesture>
  /// The maximum time from the first push to the second one of a ``Gesture/double``.
  package var doubleWithin: Duration
  /// The time from the push until the gesture is ``Gesture/long``.
  package var longAfter: Duration
  /// The time from the push until the machine is armed; longer than ``longAfter``.
  package var holdAfter: Duration
  /// The time in which the armed machine can be canceled.
  package var cancelWithin: Duration
  /// The time from the push until the button counts as stuck; longer than any gesture.
  package var stuckAfter: Duration

  /// Makes settings.
  package init(
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
