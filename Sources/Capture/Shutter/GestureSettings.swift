package import Devices

/// The gestures of a button, and the times that tell them apart.
package struct GestureSettings: Sendable, Hashable {
  /// The gestures that have an action; at least one.
  package var bound: Set<Gesture>
  /// The maximum time from the first push to the second one of a ``Gesture/double``.
  package var doubleWithin = Duration.milliseconds(400)
  /// The time from the push until the gesture is ``Gesture/long``.
  package var longAfter = Duration.milliseconds(800)
  /// The time from the push until the machine is armed; longer than ``longAfter``.
  package var holdAfter = Duration.seconds(3)
  /// The time in which the armed machine can be canceled.
  package var cancelWithin = Duration.seconds(5)
  /// The time from the push until the button counts as stuck; longer than any gesture.
  package var stuckAfter = Duration.seconds(30)

  package init(bound: Set<Gesture> = [.single]) { self.bound = bound }
}
