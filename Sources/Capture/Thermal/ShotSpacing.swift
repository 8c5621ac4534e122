package import Devices

/// Spaces presses while the rig is too hot for more.
///
/// The time counts from the last press that was taken, even when that was before the spacing began.
package struct ShotSpacing: Sendable {
  /// The time between two presses; `nil` for none.
  package var spacing: Duration?
  private var lastTaken: MonotonicInstant?

  /// Makes a spacing that does not delay presses.
  package init() {}

  /// Notes that a press has been taken.
  package mutating func take(at time: MonotonicInstant) {
    lastTaken = max(time, lastTaken ?? time)
  }

  /// Returns the time at which the next press may be taken; `nil` when it is now.
  package func opening(at now: MonotonicInstant) -> MonotonicInstant? {
    guard let spacing, let lastTaken else { return nil }
    let opening = lastTaken.advanced(by: spacing)
    return opening > now ? opening : nil
  }
}
