/// Decides what the uploader of one target does next: what is begun, what waits, and how long.
///
/// Times are durations since any fixed instant, not negative. ``next(at:)`` names one thing to do;
/// when it is done, or when something has happened meanwhile, the machine is told and asked again.
///
/// An item's fault makes that item wait and lets the others pass, and in the end parks it. A
/// target's fault opens the ``TargetBreaker``, and everything waits. Between the items that have
/// failed, those that have not get their turn, so that no number of bad items holds up the rest.
struct UploadStateMachine {
  /// What to do.
  enum Action: Equatable {
    /// Commit how an item has ended, before anything else.
    case settle(Settlement)
    /// Commit for how long the target wants to be left alone; it does not matter if that fails.
    case keep(TargetPause?)
    /// Ask the queue for the oldest item that is not among these.
    case fetch(excluding: Set<String>)
    /// Nothing until then, or until something happens.
    case wait(until: Duration?)
  }

  /// How an item's claim ends.
  struct Settlement: Equatable {
    /// What is committed.
    enum Result: Equatable {
      case complete(Receipt, byteCount: Int64)
      case failed(DeliveryFailure, attempts: Int)
      case park(DeliveryFailure, attempts: Int)
      case release
    }
    /// The item's identity.
    var id: String
    /// What is committed.
    var result: Result
  }

  /// What becomes of an item after a failure.
  enum Verdict: Equatable {
    /// It is tried again, after this time at the earliest.
    case retried(in: Duration)
    /// It is parked.
    case parked
  }

  /// So many different items in a row that are refused mean that the target takes none.
  static let refusalsUntilTargetFault = 8
  /// So many items in a row may be parked without a delivery between them.
  static let parksWithoutDelivery = 3

  struct Running: Equatable {
    var delivery: PendingDelivery
    var generation: Int
  }
  struct QueueFault: Equatable {
    var end: Duration
    var failures: Int
    var failure: DeliveryFailure
  }

  let policy: UploadPolicy
  var breaker = TargetBreaker()
  var faults = ItemFaults()
  var running: [String: Running] = [:]
  var settlements: [Settlement] = []
  var queueFault: QueueFault?
  private(set) var holds: Set<UploadHold> = []
  private var parallelLimit: Int?
  /// Until when the upload window is closed, or is looked at again; `nil` when it is open.
  private var windowOpening: Duration?
  private var pacer: DeliveryPacer
  var budget: RetryBudget
  /// How many items the target has taken.
  var takenCount = 0
  /// The item that holds up all others in strict order, and since when the target breaks on it, or
  /// since that was last counted.
  struct Blockade: Equatable {
    var id: String
    var start: Duration
  }
  var blockade: Blockade?
  /// The items refused, and those parked, since the target last took one.
  var refused: Set<String> = []
  var parksInARow = 0
  private var pauseChange: PauseChange?
  private var isPauseKept = false
  /// How long the first delivery is delayed if items wait from an earlier run.
  private var startDelay: Duration?
  private var startGate: Duration = .zero
  var search = Search()

  /// What is to be committed of the target's wish to be left alone.
  private enum PauseChange { case begins, ends }

  /// Makes a machine.
  ///
  /// - Parameters:
  ///   - policy: what is allowed.
  ///   - startDelay: how long the first delivery is delayed if items wait from an earlier run.
  init(policy: UploadPolicy, startDelay: Duration = .zero) {
    self.policy = policy
    self.startDelay = startDelay
    budget = policy.retryBudget
    pacer = DeliveryPacer(perMinute: policy.deliveriesPerMinute)
  }

  /// Names the next thing to do.
  mutating func next(at now: Duration) -> Action {
    if let fault = queueFault, fault.end > now { return .wait(until: fault.end) }
    if let settlement = settlements.first { return .settle(settlement) }
    if let change = pauseChange, let action = keep(change, at: now) { return action }
    if isHeld { return .wait(until: windowOpening) }
    guard running.count < parallelDeliveries else {
      return .wait(until: nil)
    }
    let gate = max(startGate, pacer.ready(at: now))
    if gate > now { return .wait(until: gate) }
    switch breaker.permit(at: now) {
    case .none(let end): return .wait(until: end)
    case .probe: return look(isProbe: true, at: now)
    case .any: return look(isProbe: false, at: now)
    }
  }

  /// The queue has answered `fetch`.
  ///
  /// - Returns: the item to deliver now, if there is one and it may still begin.
  mutating func fetched(_ delivery: PendingDelivery?, at now: Duration) -> PendingDelivery? {
    queueFault = nil
    let delay = startDelay ?? .zero
    startDelay = nil
    guard let delivery else {
      endSearch()
      return nil
    }
    let permit = breaker.permit(at: now)
    if delay > .zero { startGate = now + delay }
    let mayBegin =
      delay <= .zero && !isHeld && running.count < parallelDeliveries
      && (permit == .any || permit == .probe)
    guard mayBegin else {
      settlements.append(Settlement(id: delivery.id, result: .release))
      search.stage = 0
      return nil
    }
    precondition(running[delivery.id] == nil, "\"\(delivery.id)\" is being delivered already")
    search.prefersFresh = faults[delivery.id] != nil
    search.stage = 0
    if search.prefersFresh, permit == .any { budget.takeRetry(at: now) }
    pacer.began(at: now)
    breaker.began(delivery.id)
    running[delivery.id] = Running(delivery: delivery, generation: breaker.generation)
    return delivery
  }

  /// The first settlement is committed.
  mutating func settled() {
    precondition(!settlements.isEmpty, "nothing was to be settled")
    queueFault = nil
    settlements.removeFirst()
  }

  /// The queue has failed.
  ///
  /// - Returns: the time until it is asked again.
  @discardableResult
  mutating func queueFailed(
    _ failure: DeliveryFailure, at now: Duration, random: Double
  ) -> Duration {
    let failures = (queueFault?.failures ?? 0) + 1
    let wait = policy.retry.wait(afterFailures: failures, failure, random: random)
    queueFault = QueueFault(end: now + wait, failures: failures, failure: failure)
    return wait
  }

  /// An item may have been added to the queue, or be free again.
  mutating func arrived() { lookAgain() }

  /// The reasons from outside not to begin deliveries have changed.
  mutating func setHolds(_ holds: Set<UploadHold>) { self.holds = holds }

  /// The most deliveries that may run at a time for now, 1 or more; `nil` for what the policy has.
  mutating func setParallelLimit(_ limit: Int?) { parallelLimit = limit.map { max(1, $0) } }

  private var parallelDeliveries: Int {
    policy.order == .strict ? 1 : min(policy.parallelDeliveries, parallelLimit ?? .max)
  }

  /// The upload window is closed, and is to be looked at again then; `nil` when it is open.
  mutating func setWindow(closedUntil instant: Duration?) { windowOpening = instant }

  /// All reasons not to begin deliveries.
  var allHolds: Set<UploadHold> { windowOpening == nil ? holds : holds.union([.window]) }

  private var isHeld: Bool { !holds.isEmpty || windowOpening != nil }

  /// A pause of an earlier run of the service goes on.
  mutating func resume(_ pause: TargetPause, at now: Duration) {
    guard pause.remaining > .zero else { return }
    breaker.open(pause.failure, at: now, wait: pause.remaining, suspect: nil)
    isPauseKept = true
  }

  /// Notes a pause of the target that is worth keeping, or its end.
  mutating func note(pause: Bool) {
    if pause {
      pauseChange = .begins
    } else if isPauseKept || pauseChange != nil {
      pauseChange = isPauseKept ? .ends : nil
    }
  }

  /// Somebody knows that it is worth trying now: all waits end, but for holds and rates.
  mutating func retryNow(at now: Duration) {
    breaker.endWait(at: now)
    faults.endWaits(at: now)
    queueFault?.end = now
    budget.refill()
    startGate = .zero
    note(pause: false)
    lookAgain()
  }

  /// Somebody wants this item to be tried again.
  mutating func retryNow(_ id: String) {
    faults.forget(id)
    arrived()
  }
}

extension UploadStateMachine {
  private mutating func keep(_ change: PauseChange, at now: Duration) -> Action? {
    pauseChange = nil
    switch change {
    case .ends:
      isPauseKept = false
      return .keep(nil)
    case .begins:
      guard case .open(let end) = breaker.state, end > now, let failure = breaker.failure else {
        return nil
      }
      isPauseKept = true
      return .keep(TargetPause(remaining: end - now, failure: failure))
    }
  }
}
