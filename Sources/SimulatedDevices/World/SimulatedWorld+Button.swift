public import Devices

extension SimulatedWorld {
  /// Whether the shutter is down.
  public var isButtonDown: Bool {
    let now = clock.now
    return read { $0.button(SimulatedWorld.shutter).isActive(at: now) }
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
  ///   - button: which button.
  /// - Returns: the time of the first edge.
  @discardableResult
  public func press(
    at instant: MonotonicInstant? = nil, for duration: Duration = .milliseconds(80),
    bounce: ContactBounce = .none, button: String = SimulatedWorld.shutter
  ) -> MonotonicInstant {
    let instant = instant ?? clock.now
    return script(button) { script in
      let down = script.move(to: true, at: instant, bounce: bounce)
      _ = script.move(to: false, at: down.advanced(by: duration), bounce: bounce)
      return down
    }
  }

  /// Presses the button and keeps it down.
  ///
  /// - Returns: the time of the first edge.
  @discardableResult
  public func hold(
    bounce: ContactBounce = .none, button: String = SimulatedWorld.shutter
  ) -> MonotonicInstant {
    let now = clock.now
    return script(button) { $0.move(to: true, at: now, bounce: bounce) }
  }

  /// Lets the button go.
  ///
  /// - Returns: the time of the first edge.
  @discardableResult
  public func release(
    bounce: ContactBounce = .none, button: String = SimulatedWorld.shutter
  ) -> MonotonicInstant {
    let now = clock.now
    return script(button) { $0.move(to: false, at: now, bounce: bounce) }
  }

  /// Makes edges as a broken wire or strong interference does, evenly spaced.
  ///
  /// - Parameters:
  ///   - count: how many edges, 0 or more.
  ///   - duration: from the first to the last.
  ///   - button: which button.
  public func storm(
    edges count: Int, over duration: Duration, button: String = SimulatedWorld.shutter
  ) {
    let now = clock.now
    script(button) { $0.storm(edges: max(0, count), at: now, over: duration) }
  }

  /// Loses edges as an overflowing kernel queue does: the watch reports it, their numbers are missing.
  public func loseEdges(_ count: Int, button: String = SimulatedWorld.shutter) {
    let now = clock.now
    script(button) { $0.lose(max(0, count), at: now) }
  }

  /// Breaks a button's line, or mends it with `nil`.
  public func setButtonFault(_ fault: ButtonFault?, button: String = SimulatedWorld.shutter) {
    change { $0.buttonFaults[button] = fault }
  }

  @discardableResult
  private func script<Value: Sendable>(
    _ button: String, _ body: (inout ButtonScript) -> Value
  ) -> Value {
    change { state in
      var script = state.button(button)
      state.buttons[button] = nil
      defer { state.buttons[button] = script }
      return body(&script)
    }
  }
}
