/// Decides what the uploader does next: which items are left out, who waits, and how long.
///
/// Times are durations since any fixed instant, not negative. An item's fault makes that item wait and lets the
/// others pass. A target's fault makes everything wait; the attempt after it is a probe, and if
/// there is another item than the one that failed, the probe is with that other one. When it
/// succeeds, the fault was the first item's after all and only that one waits on: so one item on
/// which a server breaks cannot hold up all the others.
struct UploadStateMachine {
  /// What to do.
  enum Action: Equatable {
    /// Ask the queue for the oldest item that is not among these.
    case fetch(excluding: Set<String>)
    /// Commit this receipt again, before anything else.
    case commit(id: String, Receipt)
    /// Deliver this item.
    case deliver(PendingDelivery)
    /// Wait until then, or for ever; an arrival ends the wait too where it says so.
    case wait(until: Duration?, orArrival: Bool)
  }

  private struct Pause {
    var end: Duration
    var failures: Int
    var failure: DeliveryFailure
  }

  let policy: RetryPolicy
  private var items: [String: Pause] = [:]
  private var target: Pause?
  private var suspect: String?
  private var uncommitted: (id: String, receipt: Receipt)?
  /// The instant to which the last `fetch` refers: what it left out counts as waiting after it.
  private var roundStart: Duration = .zero

  init(policy: RetryPolicy) {
    self.policy = policy
  }

  /// The reason for which everything waits, if it does, and until when.
  func pause(at now: Duration) -> (end: Duration, failure: DeliveryFailure)? {
    target.flatMap { $0.end > now ? ($0.end, $0.failure) : nil }
  }

  /// The next item whose turn comes again, with the reason why it waits.
  func nextItemPause(at now: Duration) -> (end: Duration, failure: DeliveryFailure)? {
    let next = items.values.filter { $0.end > now }.min { $0.end < $1.end }
    return next.map { ($0.end, $0.failure) }
  }

  /// Begins a round.
  mutating func begin(at now: Duration) -> Action {
    roundStart = now
    if let target, target.end > now { return .wait(until: target.end, orArrival: false) }
    if let uncommitted { return .commit(id: uncommitted.id, uncommitted.receipt) }
    return .fetch(excluding: excluded(at: now))
  }

  /// The queue has answered `fetch`.
  mutating func fetched(_ delivery: PendingDelivery?) -> Action {
    if let delivery { return .deliver(delivery) }
    if suspect != nil {
      // There is no other item to probe with.
      suspect = nil
      return .fetch(excluding: excluded(at: roundStart))
    }
    return .wait(until: nextItemPause(at: roundStart)?.end, orArrival: true)
  }

  /// An item was delivered; its receipt is to be committed.
  mutating func delivered(_ id: String, _ receipt: Receipt, at now: Duration, random: Double)
    -> Action
  {
    if let suspect, suspect != id, let target {
      // The target works: the fault before was that item's.
      let failures = (items[suspect]?.failures ?? 0) + 1
      let wait = policy.wait(afterFailures: failures, target.failure, random: random)
      items[suspect] = Pause(end: now + wait, failures: failures, failure: target.failure)
    }
    suspect = nil
    target = nil
    items[id] = nil
    uncommitted = (id, receipt)
    return .commit(id: id, receipt)
  }

  /// The receipt of an item is committed.
  mutating func committed(_ id: String) {
    precondition(uncommitted?.id == id, "\"\(id)\" has no receipt to commit")
    uncommitted = nil
  }

  /// An item was not delivered.
  ///
  /// - Returns: the time until its next attempt.
  mutating func failed(
    _ id: String, _ failure: DeliveryFailure, at now: Duration, random: Double
  ) -> Duration {
    switch failure.scope {
    case .item:
      let failures = (items[id]?.failures ?? 0) + 1
      let wait = policy.wait(afterFailures: failures, failure, random: random)
      items[id] = Pause(end: now + wait, failures: failures, failure: failure)
      // An answer about an item is a sign of life.
      target = nil
      suspect = nil
      return wait
    case .target:
      suspect = suspect == nil ? id : nil
      return pauseAll(failure, at: now, random: random)
    }
  }

  /// The queue has failed.
  ///
  /// - Returns: the time until it is asked again.
  mutating func queueFailed(_ text: String, at now: Duration, random: Double) -> Duration {
    pauseAll(
      DeliveryFailure(.queueFailed, scope: .target, text: text), at: now, random: random)
  }

  /// Somebody knows that it is worth trying now: all waits end.
  mutating func retryNow() {
    target?.end = .zero
    for id in items.keys { items[id]?.end = .zero }
  }

  private mutating func pauseAll(
    _ failure: DeliveryFailure, at now: Duration, random: Double
  ) -> Duration {
    let failures = (target?.failures ?? 0) + 1
    let wait = policy.wait(afterFailures: failures, failure, random: random)
    target = Pause(end: now + wait, failures: failures, failure: failure)
    return wait
  }

  private func excluded(at now: Duration) -> Set<String> {
    var excluded = Set(items.filter { $0.value.end > now }.keys)
    if let suspect { excluded.insert(suspect) }
    return excluded
  }
}
