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
