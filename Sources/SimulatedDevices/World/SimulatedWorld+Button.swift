public import Devices

extension SimulatedWorld {
  /// Whether the button is down.
  public var isButtonDown: Bool {
    let now = clock.now
    return read { $0.button.isActive(at: now) }
  }

  /// Presses the button and lets it go.
  ///
  /// Returns at once; the edges happen at their times. Edges bear the times at which they were
  /// scripted to happen, as a kernel's interrupt handler would stamp them, however late the reader.
  /// A press that would begin before an earlier one has ended begins right after it.
  ///
  /// - Parameters:
  ///   - instant: when the button goes down; now when nothing is said.
  ///   - duration: how long it is held down.
  ///   - bounce: how the contact bounces on both ways.
  /// - Returns: the time of the first edge.
  @discardableResult
  public func press(
    at instant: MonotonicInstant? = nil, for duration: Duration = .milliseconds(80),
    bounce: ContactBounce = .none
  ) -> MonotonicInstant {
    let instant = instant ?? clock.now
    return change { state in
      let down = state.button.move(to: true, at: instant, bounce: bounce)
      _ = state.button.move(to: false, at: down.advanced(by: duration), bounce: bounce)
      return down
    }
  }

  /// Presses the button and keeps it down.
  ///
  /// - Returns: the time of the first edge.
  @discardableResult
  public func hold(bounce: ContactBounce = .none) -> MonotonicInstant {
    let now = clock.now
    return change { $0.button.move(to: true, at: now, bounce: bounce) }
  }

  /// Lets the button go.
  ///
  /// - Returns: the time of the first edge.
  @discardableResult
  public func release(bounce: ContactBounce = .none) -> MonotonicInstant {
    let now = clock.now
    return change { $0.button.move(to: false, at: now, bounce: bounce) }
  }

  /// Makes edges as a broken wire or strong interference does, evenly spaced.
  ///
  /// - Parameters:
  ///   - count: how many edges, 0 or more.
  ///   - duration: from the first to the last.
  public func storm(edges count: Int, over duration: Duration) {
    let now = clock.now
    change { $0.button.storm(edges: max(0, count), at: now, over: duration) }
  }

  /// Loses edges as an overflowing kernel queue does: the watch reports it, their numbers are missing.
  public func loseEdges(_ count: Int) {
    let now = clock.now
    change { $0.button.lose(max(0, count), at: now) }
  }

  /// Breaks the button's line, or mends it with `nil`.
  public func setButtonFault(_ fault: ButtonFault?) {
    change { $0.buttonFault = fault }
  }
}
