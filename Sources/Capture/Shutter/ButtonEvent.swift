package import Devices

/// An event at a button, in the words of its user.
///
/// A sequence of pushes gives either a gesture at once, or ``anticipated(at:)``, perhaps
/// ``armed(at:until:)``, and then exactly one gesture or ``withdrawn(at:_:)`` with the same time.
package enum ButtonEvent: Sendable, Hashable {
  /// The reason that there is no gesture after all.
  package enum Withdrawal: String, Sendable, Hashable {
    /// A press canceled the armed power-off.
    case cancelled
    /// The sequence matches none of the button's gestures.
    case unbound
    /// The button is stuck.
    case stuck
    /// The contact chatters.
    case chattering
    /// The line can no longer be read.
    case lineLost
  }

  /// The button went down, and the gesture is undecided; `at` is the first edge's kernel time.
  case anticipated(at: MonotonicInstant)
  /// A gesture is due; `at` is the kernel's time of the first edge of its first push.
  case gesture(Gesture, at: MonotonicInstant)
  /// The gesture that was anticipated at that time does not come.
  case withdrawn(at: MonotonicInstant, Withdrawal)
  /// The button was held long enough to arm the machine.
  ///
  /// Unless a press of any button cancels it, ``Gesture/hold`` is due at `until`, or when the
  /// button comes up, if that is later.
  case armed(at: MonotonicInstant, until: MonotonicInstant)
  /// The button has a fault.
  ///
  /// The faults are `buttonUnreadable`, `buttonStuck`, `buttonHeldAtStart` and `buttonChattering`.
  case faultBegan(InterruptionReason, at: MonotonicInstant)
  /// The fault has ended.
  case faultEnded(InterruptionReason, at: MonotonicInstant)
  /// The number of closures too short for a press since the last such event.
  ///
  /// It is reported at most once a second.
  case spikes(count: Int, at: MonotonicInstant)
  /// The number of edges known to be lost since the last such event, at most once a second.
  case lostEdges(count: Int, at: MonotonicInstant)
}
