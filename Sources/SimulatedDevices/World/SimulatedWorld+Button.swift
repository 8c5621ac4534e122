package import Devices

extension SimulatedWorld {
  /// Whether the shutter is down.
  package var isButtonDown: Bool {
    let now = clock.now
    return read { $0.button(SimulatedWorld.shutter).isActive(at: now) }
  }

  /// Presses and releases the button.
  ///
  /// The call returns at once, and the edges happen at their times. Edges have their scripted
  /// times, as a kernel's interrupt handler would stamp them, however late the reader is. A press
  /// that would start before the end of an earlier press starts right after it.
  ///
  /// - Parameters:
  ///   - instant: the time at which the button goes down, by default now.
  ///   - duration: the time for which the button is held down.
  ///   - bounce: the contact's bounce in both directions.
  ///   - button: the button's name.
  /// - Returns: the time of the first edge.
  @discardableResult
  package func press(
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
  package func hold(
    bounce: ContactBounce = .none, button: String = SimulatedWorld.shutter
  ) -> MonotonicInstant {
    let now = clock.now
    return script(button) { $0.move(to: true, at: now, bounce: bounce) }
  }

  /// Releases the button.
  ///
  /// - Returns: the time of the first edge.
  @discardableResult
  package func release(
    bounce: ContactBounce = .none, button: String = SimulatedWorld.shutter
  ) -> MonotonicInstant {
    let now = clock.now
    return script(button) { $0.move(to: false, at: now, bounce: bounce) }
  }

  /// Makes evenly spaced edges, as a broken wire or strong interference does.
  ///
  /// - Parameters:
  ///   - count: the number of edges, 0 or more.
  ///   - duration: the time from the first edge to the last.
  ///   - button: the button's name.
  package func storm(
    edges count: Int, over duration: Duration, button: String = SimulatedWorld.shutter
  ) {
    let now = clock.now
    script(button) { $0.storm(edges: max(0, count), at: now, over: duration) }
  }

  /// Loses edges and their numbers, as a full kernel queue does; the watch reports the loss.
  package func loseEdges(_ count: Int, button: String = SimulatedWorld.shutter) {
    let now = clock.now
    script(button) { $0.lose(max(0, count), at: now) }
  }

  /// Breaks a button's line, or repairs it with `nil`.
  package func setButtonFault(_ fault: ButtonFault?, button: String = SimulatedWorld.shutter) {
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
