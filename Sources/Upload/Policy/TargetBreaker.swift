/// Keeps deliveries away from a target that does not work, and finds out when it works again.
///
/// Closed, everything may begin. A fault of the target opens it for a time that the retry policy
/// chooses; then exactly one delivery is the probe (half open), and its result closes the breaker
/// or opens it for longer. What was begun before the breaker opened says nothing about the target
/// as it is now: several deliveries that one fault ends at once count once.
///
/// The item with which the fault came is a suspect: a server may break on one picture. The probe is
/// with another item where there is one; when that succeeds, the suspects were at fault.
struct TargetBreaker {
  /// What the breaker does.
  enum State: Hashable {
    /// The target works, as far as is known.
    case closed
    /// Nothing begins until then; after it one probe may.
    case open(until: Duration)
    /// The probe with this item runs.
    case halfOpen(probe: String)
  }

  /// What may begin.
  enum Permit: Hashable {
    /// Any delivery.
    case any
    /// One delivery, to see whether the target works.
    case probe
    /// None before this instant, or before the running probe has ended.
    case none(until: Duration?)
  }

  /// An item that may be the cause of a fault.
  struct Suspect: Equatable {
    /// The item's identity.
    var id: String
    /// The fault that came with it last.
    var failure: DeliveryFailure
  }

  /// What the breaker does.
  private(set) var state = State.closed
  /// The target's failures in a row, those of deliveries that were begun together counted once.
  private(set) var failures = 0
  /// The last of them; `nil` when the target works.
  private(set) var failure: DeliveryFailure?
  /// How often the breaker has opened; a delivery belongs to the generation that it began in.
  private(set) var generation = 0
  /// The items with which the target's faults came since it last worked, the first one first.
  private(set) var suspects: [Suspect] = []
  /// Until when the target wants to be left alone, whatever it says to others.
  private var notBefore: Duration = .zero

  /// What may begin.
  func permit(at now: Duration) -> Permit {
    switch state {
    case .closed: .any
    case .open(let end): end > now ? .none(until: end) : .probe
    case .halfOpen: .none(until: nil)
    }
  }

  /// Notes that a delivery has begun, which ``permit(at:)`` allowed.
  mutating func began(_ id: String) {
    switch state {
    case .closed: break
    case .open: state = .halfOpen(probe: id)
    case .halfOpen(let probe):
      preconditionFailure("\"\(id)\" was begun beside the probe \"\(probe)\"")
    }
  }

  /// Whether a delivery was begun since the breaker last opened, so that its result counts.
  func isCurrent(_ generation: Int) -> Bool { generation == self.generation }

  /// The target works; the breaker closes, or stays open while the target wants to be left alone.
  ///
  /// - Returns: the items with which its faults came.
  mutating func close(at now: Duration) -> [Suspect] {
    guard failure != nil else { return [] }
    defer {
      failures = 0
      suspects = []
      if notBefore > now {
        state = .open(until: notBefore)
      } else {
        state = .closed
        self.failure = nil
      }
    }
    return suspects
  }

  /// The target does not work.
  ///
  /// - Parameters:
  ///   - failure: how it shows.
  ///   - wait: the time until the next probe.
  ///   - suspect: the item with which it came, if that may be the cause.
  mutating func open(
    _ failure: DeliveryFailure, at now: Duration, wait: Duration, suspect: String?
  ) {
    if let suspect {
      suspects.removeAll { $0.id == suspect }
      suspects.append(Suspect(id: suspect, failure: failure))
    }
    failures += 1
    generation += 1
    self.failure = failure
    state = .open(until: max(now + wait, notBefore))
  }

  /// The target asks to be left alone, by its answer to a delivery that was begun before the breaker
  /// opened.
  mutating func extend(_ failure: DeliveryFailure, at now: Duration, wait: Duration) {
    notBefore = max(notBefore, now + wait)
    switch state {
    case .closed: open(failure, at: now, wait: wait, suspect: nil)
    case .open(let end) where notBefore > end:
      state = .open(until: notBefore)
      self.failure = failure
    // When the probe has ended, the wait comes on top.
    case .open, .halfOpen: break
    }
  }

  /// A delivery has ended without a word from the target; if it was the probe, another may begin.
  mutating func abandoned(_ id: String, at now: Duration) {
    if state == .halfOpen(probe: id) { state = .open(until: now) }
  }

  /// Nobody but the suspects is left to probe with.
  mutating func acquit() { suspects = [] }

  /// Ends the wait for the next probe.
  mutating func endWait(at now: Duration) {
    notBefore = .zero
    if case .open(let end) = state, end > now { state = .open(until: now) }
  }
}
