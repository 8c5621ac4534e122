public import Devices

/// What happens at a button, in the words of its user.
///
/// A sequence of pushes gives one of: a gesture at once; or ``anticipated(at:)``, perhaps
/// ``armed(at:until:)``, and then exactly one gesture or ``withdrawn(at:_:)`` with the same time.
public enum ButtonEvent: Sendable, Hashable {
  /// Why there is no gesture after all.
  public enum Withdrawal: String, Sendable, Hashable {
    /// A press called the armed machine off.
    case cancelled
    /// What was done is none of the button's gestures.
    case unbound
    /// The button is stuck.
    case stuck
    /// The contact chatters.
    case chattering
    /// The line can no longer be read.
    case lineLost
  }

  /// The button went down; which gesture it becomes is not known yet. `at` is the kernel's time of
  /// the first edge.
  case anticipated(at: MonotonicInstant)
  /// A gesture is due; `at` is the kernel's time of the first edge of its first push.
  case gesture(Gesture, at: MonotonicInstant)
  /// What was anticipated at that time does not come.
  case withdrawn(at: MonotonicInstant, Withdrawal)
  /// The button was held long enough: unless a press of any button calls it off, ``Gesture/hold``
  /// is due at `until`, or when the button comes up, if that is later.
  case armed(at: MonotonicInstant, until: MonotonicInstant)
  /// Something is wrong with the button: `buttonStuck`, `buttonHeldAtStart` or `buttonChattering`.
  case faultBegan(InterruptionReason, at: MonotonicInstant)
  /// What was wrong has ended.
  case faultEnded(InterruptionReason, at: MonotonicInstant)
  /// So many times since the last event of this kind the contact closed for too short a time to be a
  /// press; told once a second.
  case spikes(count: Int, at: MonotonicInstant)
  /// So many edges are known to be lost since the last event of this kind; told once a second.
  case lostEdges(count: Int, at: MonotonicInstant)
}
