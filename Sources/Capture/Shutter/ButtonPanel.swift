package import Devices

/// The buttons of a rig: from the raw edges of their lines to gestures and faults.
///
/// A value without a clock. It takes edges and the time, returns events, and has a ``deadline`` for
/// the next call. A push of any button while the machine is armed only cancels that.
package struct ButtonPanel: Sendable {
  /// A button.
  package struct Button: Sendable, Hashable {
    /// The button's name, unique on the panel.
    package var name: String
    /// The time that the button's line must be quiet to be at rest.
    package var debounce: Duration
    /// The time that the contact must be closed for a press.
    package var shortestPress: Duration
    /// The button's gestures.
    package var gestures: GestureSettings

    package init(
      name: String, debounce: Duration, shortestPress: Duration = .zero, gestures: GestureSettings
    ) {
      self.name = name
      self.debounce = debounce
      self.shortestPress = shortestPress
      self.gestures = gestures
    }
  }

  /// An event with its button.
  package struct Output: Sendable, Hashable {
    /// The button's name.
    package var button: String
    /// The event.
    package var event: ButtonEvent

    package init(_ button: String, _ event: ButtonEvent) {
      self.button = button
      self.event = event
    }
  }

  private struct Watched {
    let button: Button
    var debouncer: ContactDebouncer
    var recognizer: GestureRecognizer
    var lost = RateLimitedCounter()
    var spikeCounter = RateLimitedCounter()
    var spikes = SpikeCount()
    var isWatched = false
    var isUnreadable = false
  }

  private var watched: [Watched]

  package init(_ buttons: [Button], at now: MonotonicInstant) {
    watched = buttons.map { button in
      Watched(
        button: button,
        debouncer: ContactDebouncer(
          quietTime: button.debounce, shortestPress: button.shortestPress),
        recognizer: GestureRecognizer(button.gestures, at: now))
    }
  }

  /// The time at which ``advance(to:)`` has events; `nil` for never without an edge.
  package var deadline: MonotonicInstant? {
    watched.compactMap { watched -> MonotonicInstant? in
      guard watched.isWatched else { return nil }
      // The state of a bouncing contact is known only when it has come to rest.
      let decision = watched.recognizer.deadline.map { max($0, watched.debouncer.restsAt ?? $0) }
      return [
        watched.debouncer.deadline, decision, watched.lost.deadline, watched.spikes.deadline,
        watched.spikeCounter.deadline,
      ].compactMap { $0 }.min()
    }.min()
  }

  /// Begins the watch of a button's line.
  package mutating func begin(
    _ name: String, isDown: Bool, at now: MonotonicInstant
  ) -> [Output] {
    guard let index = index(of: name) else { return [] }
    var outputs = end(name, at: now)
    if watched[index].isUnreadable {
      outputs += told(index, [.faultEnded(.buttonUnreadable, at: now)])
    }
    watched[index].isUnreadable = false
    watched[index].isWatched = true
    watched[index].debouncer = ContactDebouncer(
      quietTime: watched[index].button.debounce,
      shortestPress: watched[index].button.shortestPress, isActiveAtStart: isDown)
    watched[index].spikes = SpikeCount()
    if isDown { outputs += told(index, watched[index].recognizer.beginHeld(at: now)) }
    return outputs
  }

  /// Ends the watch of a button's line.
  package mutating func end(_ name: String, at now: MonotonicInstant) -> [Output] {
    guard let index = index(of: name), watched[index].isWatched else { return [] }
    var events = advance(index, to: now).map(\.event)
    watched[index].isWatched = false
    if let count = watched[index].lost.flush(at: now) {
      events.append(.lostEdges(count: count, at: now))
    }
    if let count = watched[index].spikeCounter.flush(at: now) {
      events.append(.spikes(count: count, at: now))
    }
    if watched[index].debouncer.isChattering || watched[index].spikes.isFrequent {
      events.append(.faultEnded(.buttonChattering, at: now))
    }
    return told(index, events + watched[index].recognizer.lose())
  }

  /// Ends the watch of a button's line that cannot be read, which is a fault until it can be.
  package mutating func fail(_ name: String, at now: MonotonicInstant) -> [Output] {
    guard let index = index(of: name) else { return [] }
    var outputs = end(name, at: now)
    if !watched[index].isUnreadable {
      outputs += told(index, [.faultBegan(.buttonUnreadable, at: now)])
    }
    watched[index].isUnreadable = true
    return outputs
  }

  /// Takes an edge of a button's line.
  package mutating func take(_ edge: LineEdge, of name: String) -> [Output] {
    guard let index = index(of: name), watched[index].isWatched else { return [] }
    return apply(watched[index].debouncer.take(edge), to: index)
  }

  /// Takes lost edges of a button's line; `now` is the time of the discovery.
  package mutating func lose(_ count: Int, of name: String, at now: MonotonicInstant) -> [Output] {
    guard let index = index(of: name), watched[index].isWatched else { return [] }
    var outputs = apply(watched[index].debouncer.lose(count, at: now), to: index)
    if let count = watched[index].lost.add(count, at: now) {
      outputs += told(index, [.lostEdges(count: count, at: now)])
    }
    return outputs
  }

  /// Returns the events up to an instant.
  package mutating func advance(to now: MonotonicInstant) -> [Output] {
    watched.indices.flatMap { advance($0, to: now) }
  }

  private mutating func advance(_ index: Int, to now: MonotonicInstant) -> [Output] {
    guard watched[index].isWatched else { return [] }
    var outputs = apply(watched[index].debouncer.advance(to: now), to: index)
    let certain = watched[index].debouncer.certain(at: now)
    outputs += told(index, watched[index].recognizer.advance(to: certain))
    if let count = watched[index].lost.advance(to: now) {
      outputs += told(index, [.lostEdges(count: count, at: now)])
    }
    if let count = watched[index].spikeCounter.advance(to: now) {
      outputs += told(index, [.spikes(count: count, at: now)])
    }
    if watched[index].spikes.advance(to: now), !watched[index].debouncer.isChattering {
      outputs += told(index, [.faultEnded(.buttonChattering, at: now)])
    }
    return outputs
  }

  private mutating func apply(
    _ changes: [ContactDebouncer.Change], to index: Int
  ) -> [Output] {
    var outputs: [Output] = []
    for change in changes {
      switch change {
      case .down(let time): outputs += push(index, at: time)
      case .held(let time): outputs += told(index, watched[index].recognizer.held(at: time))
      case .up(let time): outputs += told(index, watched[index].recognizer.up(at: time))
      case .spike(let time):
        if let count = watched[index].spikeCounter.add(1, at: time) {
          outputs += told(index, [.spikes(count: count, at: time)])
        }
        if watched[index].spikes.add(at: time), !watched[index].debouncer.isChattering {
          outputs += told(index, [.faultBegan(.buttonChattering, at: time)])
        }
      case .chatterBegan(let time):
        outputs += told(index, watched[index].recognizer.block())
        if !watched[index].spikes.isFrequent {
          outputs += told(index, [.faultBegan(.buttonChattering, at: time)])
        }
      case .chatterEnded(let time):
        watched[index].recognizer.unblock()
        if !watched[index].spikes.isFrequent {
          outputs += told(index, [.faultEnded(.buttonChattering, at: time)])
        }
      }
    }
    return outputs
  }

  private mutating func push(_ index: Int, at time: MonotonicInstant) -> [Output] {
    var outputs: [Output] = []
    for other in watched.indices where other != index {
      outputs += advance(other, to: time)
      outputs += told(other, watched[other].recognizer.cancel())
    }
    if outputs.contains(where: { $0.event.isCancellation }) {
      return outputs + told(index, watched[index].recognizer.held(at: time))
    }
    return outputs + told(index, watched[index].recognizer.down(at: time))
  }

  private func told(_ index: Int, _ events: [ButtonEvent]) -> [Output] {
    events.map { Output(watched[index].button.name, $0) }
  }

  private func index(of name: String) -> Int? {
    watched.firstIndex { $0.button.name == name }
  }
}

extension ButtonEvent {
  fileprivate var isCancellation: Bool {
    if case .withdrawn(_, .cancelled) = self { true } else { false }
  }
}
