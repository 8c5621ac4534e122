package import Devices

/// Recognizes the gesture of a button's pushes as early as possible.
///
/// With ``Gesture/single`` alone the gesture is due at the push. With more gestures, the push is
/// announced at once and decided as early as possible:
///
/// | action | decision |
/// |---|---|
/// | pushed again within `doubleWithin` | `double`, at the second push |
/// | released, with no second push | `single`, when `doubleWithin` has passed since the push, or at the release where there is no `double` |
/// | held for `longAfter` | `long`, at once; at the release where there is `hold` |
/// | held for `holdAfter` | armed; `hold` after `cancelWithin`, or at the release if that is later |
/// | held for `stuckAfter` | nothing: the button is stuck |
///
/// A value without a clock that takes pushes, releases and the time. Its events carry the kernel's
/// times, however late it gets them. A decision is final.
package struct GestureRecognizer: Sendable, Hashable {
  private enum State: Sendable, Hashable {
    /// The button is up, and no gesture is undecided.
    case idle
    /// The button is down since the push at `first`; the gesture is undecided.
    case pressed(first: MonotonicInstant)
    /// The button is up after a push at `first`; a second push would be `double`.
    case released(first: MonotonicInstant)
    /// The machine is armed by a push at `first`.
    case armed(first: MonotonicInstant, until: MonotonicInstant)
    /// The button is down; its gesture is decided.
    case spent
  }

  /// The gestures, and the times that tell them apart.
  package let settings: GestureSettings
  private var state: State
  private var downSince: MonotonicInstant?
  private var fault: InterruptionReason?
  private var isBlocked = false
  private var latest: MonotonicInstant

  /// Makes the recognizer of a button that is up.
  package init(_ settings: GestureSettings, at now: MonotonicInstant) {
    self.settings = settings
    state = .idle
    latest = now
  }

  /// The time at which ``advance(to:)`` has events; `nil` for never without a push or release.
  package var deadline: MonotonicInstant? {
    [decision, stuckAt].compactMap { $0 }.min()
  }

  // MARK: Events

  /// Begins with a button that is already down: a fault until it comes up.
  package mutating func beginHeld(at now: MonotonicInstant) -> [ButtonEvent] {
    var events = advance(to: now)
    downSince = latest
    state = .spent
    fault = .buttonHeldAtStart
    events.append(.faultBegan(.buttonHeldAtStart, at: latest))
    return events
  }

  /// Takes a push.
  package mutating func down(at time: MonotonicInstant) -> [ButtonEvent] {
    var events = downSince == nil ? advance(to: time) : up(at: time)
    downSince = time
    guard !isBlocked else { return events }
    switch state {
    case .idle, .pressed, .spent:
      if settings.bound == [.single] {
        state = .spent
        events.append(.gesture(.single, at: time))
      } else {
        state = .pressed(first: time)
        events.append(.anticipated(at: time))
      }
    case .released(let first):
      state = .spent
      events.append(.gesture(.double, at: first))
    case .armed(let first, _):
      state = .spent
      events.append(.withdrawn(at: first, .cancelled))
    }
    return events
  }

  /// Takes a button that is down without a new meaning, or with one for another button.
  package mutating func held(at time: MonotonicInstant) -> [ButtonEvent] {
    var events = advance(to: time)
    if downSince == nil { downSince = latest }
    switch state {
    case .armed(let first, _): events.append(.withdrawn(at: first, .cancelled))
    case .released(let first), .pressed(let first): events.append(short(first))
    case .idle, .spent: break
    }
    state = .spent
    return events
  }

  /// Takes a release.
  package mutating func up(at time: MonotonicInstant) -> [ButtonEvent] {
    var events = advance(to: time)
    let time = latest
    guard downSince != nil else { return events }
    downSince = nil
    switch state {
    case .pressed(let first):
      state = .idle
      let held = first.duration(to: time)
      if settings.bound.contains(.long), held >= settings.longAfter {
        events.append(.gesture(.long, at: first))
      } else if settings.bound.contains(.double), held < settings.doubleWithin {
        state = .released(first: first)
      } else {
        events.append(short(first))
      }
    case .armed(let first, let until):
      if time >= until {
        state = .idle
        events.append(.gesture(.hold, at: first))
      }
    case .spent: state = .idle
    case .idle, .released: break
    }
    if let fault {
      self.fault = nil
      events.append(.faultEnded(fault, at: time))
    }
    return events
  }

  /// Returns the events decided by an instant.
  package mutating func advance(to now: MonotonicInstant) -> [ButtonEvent] {
    var events: [ButtonEvent] = []
    while let due = deadline, due <= now {
      latest = max(latest, due)
      if due == decision { events.append(decide()) } else { events += getStuck() }
    }
    latest = max(latest, now)
    return events
  }

  // MARK: Ends

  /// Cancels the armed machine after a press elsewhere; does nothing when it is not armed.
  package mutating func cancel() -> [ButtonEvent] {
    guard case .armed(let first, _) = state else { return [] }
    state = downSince == nil ? .idle : .spent
    return [.withdrawn(at: first, .cancelled)]
  }

  /// Blocks gestures until ``unblock()``, because the contact chatters.
  package mutating func block() -> [ButtonEvent] {
    isBlocked = true
    return abandon(.chattering)
  }

  /// Allows gestures again, from the next push on.
  package mutating func unblock() {
    isBlocked = false
  }

  /// Ends all gestures and faults, because the line can no longer be read.
  package mutating func lose() -> [ButtonEvent] {
    var events = abandon(.lineLost)
    state = .idle
    downSince = nil
    isBlocked = false
    if let fault { events.append(.faultEnded(fault, at: latest)) }
    fault = nil
    return events
  }

  private mutating func abandon(_ reason: ButtonEvent.Withdrawal) -> [ButtonEvent] {
    defer { state = downSince == nil ? .idle : .spent }
    switch state {
    case .pressed(let first), .released(let first), .armed(let first, _):
      return [.withdrawn(at: first, reason)]
    case .idle, .spent: return []
    }
  }

  // MARK: Decisions

  /// The time at which the undecided sequence is decided without another edge.
  private var decision: MonotonicInstant? {
    let bound = settings.bound
    switch state {
    case .idle, .spent: return nil
    case .released(let first): return first.advanced(by: settings.doubleWithin)
    case .armed(_, let until): return downSince == nil ? until : nil
    case .pressed(let first):
      if bound.contains(.hold) { return first.advanced(by: settings.holdAfter) }
      if bound.contains(.long) { return first.advanced(by: settings.longAfter) }
      return first.advanced(by: settings.doubleWithin)
    }
  }

  private mutating func decide() -> ButtonEvent {
    switch state {
    case .released(let first):
      state = .idle
      return short(first)
    case .armed(let first, _):
      state = .idle
      return .gesture(.hold, at: first)
    case .pressed(let first):
      if settings.bound.contains(.hold) {
        let armed = first.advanced(by: settings.holdAfter)
        let until = armed.advanced(by: settings.cancelWithin)
        state = .armed(first: first, until: until)
        return .armed(at: armed, until: until)
      }
      state = .spent
      return settings.bound.contains(.long) ? .gesture(.long, at: first) : short(first)
    case .idle, .spent: preconditionFailure("\(state) has nothing to decide")
    }
  }

  /// Returns the event of a push that was no longer gesture.
  private func short(_ first: MonotonicInstant) -> ButtonEvent {
    settings.bound.contains(.single)
      ? .gesture(.single, at: first) : .withdrawn(at: first, .unbound)
  }

  private var stuckAt: MonotonicInstant? {
    guard fault == nil, !isBlocked else { return nil }
    return downSince?.advanced(by: settings.stuckAfter)
  }

  private mutating func getStuck() -> [ButtonEvent] {
    fault = .buttonStuck
    return abandon(.stuck) + [.faultBegan(.buttonStuck, at: latest)]
  }
}
