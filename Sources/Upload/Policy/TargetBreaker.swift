/// A circuit breaker that keeps deliveries away from a target that does not work.
///
/// While the breaker is closed, all deliveries may begin. A fault of the target opens the breaker
/// for a time that the retry policy chooses. Then exactly one delivery is the probe (half open).
/// The probe's result closes the breaker or opens it for longer. A delivery that began before the
/// breaker opened neither opens nor closes it, so one fault that ends several deliveries counts
/// once.
///
/// The item of a failed delivery is a suspect, as a server may fail on one picture. The probe uses
/// another item if there is one. If that probe succeeds, the suspects were at fault.
struct TargetBreaker {
  /// The state of the breaker.
  enum State: Hashable {
    /// The target works, as far as is known.
    case closed
    /// No delivery begins until this instant; afterwards one probe may begin.
    case open(until: Duration)
    /// The probe with this item runs.
    case halfOpen(probe: String)
  }

  /// The deliveries that may begin.
  enum Permit: Hashable {
    /// Any delivery may begin.
    case any
    /// A single delivery may begin, as a probe of the target.
    case probe
    /// No delivery may begin before this instant, or before the running probe has ended.
    case none(until: Duration?)
  }

  /// An item that may be the cause of a fault.
  struct Suspect: Equatable {
    /// The item's identity.
    var id: String
    /// The last fault that came with the item.
    var failure: DeliveryFailure
  }

  /// The state of the breaker.
  private(set) var state = State.closed
  /// The target's failures in a row; failures of deliveries that were begun together count once.
  private(set) var failures = 0
  /// The last failure; `nil` when the target works.
  private(set) var failure: DeliveryFailure?
  /// The number of times that the breaker has opened.
  ///
  /// A delivery belongs to the generation in which it began.
  private(set) var generation = 0
  /// The suspects since the target last worked, the first one first.
  private(set) var suspects: [Suspect] = []
  /// The end of the pause that the target asked for, also if other deliveries succeed.
  private var notBefore: Duration = .zero

  /// Returns the deliveries that may begin.
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

  /// Returns whether a delivery began since the breaker last opened, so that its result counts.
  func isCurrent(_ generation: Int) -> Bool { generation == self.generation }

  /// Closes the breaker as the target works; a pause that the target asked for keeps it open.
  ///
  /// - Returns: the suspects so far.
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

  /// Opens the breaker as the target does not work.
  ///
  /// - Parameters:
  ///   - failure: the failure that shows the fault.
  ///   - wait: the time until the next probe.
  ///   - suspect: the failed delivery's item, if it may be the cause.
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

  /// Extends the wait, as the target asks for a pause.
  ///
  /// The answer belongs to a delivery that began before the breaker opened.
  mutating func extend(_ failure: DeliveryFailure, at now: Duration, wait: Duration) {
    notBefore = max(notBefore, now + wait)
    switch state {
    case .closed: open(failure, at: now, wait: wait, suspect: nil)
    case .open(let end) where notBefore > end:
      state = .open(until: notBefore)
      self.failure = failure
    // The wait of a half-open breaker begins when the probe has ended.
    case .open, .halfOpen: break
    }
  }

  /// Notes a delivery that ended without an answer; if it was the probe, another may begin.
  mutating func abandoned(_ id: String, at now: Duration) {
    if state == .halfOpen(probe: id) { state = .open(until: now) }
  }

  /// Clears the suspects, as no other item is left for a probe.
  mutating func acquit() { suspects = [] }

  /// Ends the wait for the next probe.
  mutating func endWait(at now: Duration) {
    notBefore = .zero
    if case .open(let end) = state, end > now { state = .open(until: now) }
  }
}
