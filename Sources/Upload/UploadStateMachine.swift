/// A state machine that decides what one target's uploader begins and how long it waits.
///
/// Times are durations since any fixed instant, not negative. ``next(at:)`` names one action. The
/// uploader reports the action's result and other events, and asks again.
///
/// An item's fault makes that item wait, lets the others pass, and at last parks the item. A
/// target's fault opens the ``TargetBreaker``, and all items wait. Fresh items get their turn
/// between failed items, so that no number of bad items blocks the rest.
struct UploadStateMachine {
  /// An action of the uploader.
  enum Action: Equatable {
    /// Commit an item's result, before anything else.
    case settle(Settlement)
    /// Commit the pause that the target asked for; a failure does not matter.
    case keep(TargetPause?)
    /// Ask the queue for the oldest item that is not among these items.
    case fetch(excluding: Set<String>)
    /// Wait until this instant, or until something happens.
    case wait(until: Duration?)
  }

  /// The end of an item's claim.
  struct Settlement: Equatable {
    /// The result that is committed.
    enum Result: Equatable {
      case complete(Receipt, byteCount: Int64)
      case failed(DeliveryFailure, attempts: Int)
      case park(DeliveryFailure, attempts: Int)
      case release
    }
    /// The item's identity.
    var id: String
    /// The result that is committed.
    var result: Result
  }

  /// The decision about an item after a failure.
  enum Verdict: Equatable {
    /// The item is retried, after this time at the earliest.
    case retried(in: Duration)
    /// The item is parked.
    case parked
  }

  /// The number of different items refused in a row that means that the target takes none.
  static let refusalsUntilTargetFault = 8
  /// The number of items in a row that may be parked without a delivery between them.
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
  /// The instant at which the closed upload window is checked again; `nil` when it is open.
  private var windowOpening: Duration?
  private var pacer: DeliveryPacer
  var budget: RetryBudget
  /// The number of items that the target has taken.
  var takenCount = 0
  /// The item that blocks all others in strict order.
  ///
  /// The start is the instant since which the target fails on the item, or at which that was last
  /// counted.
  struct Blockade: Equatable {
    var id: String
    var start: Duration
  }
  var blockade: Blockade?
  /// The refused items, and the number of parked items, since the target last took one.
  var refused: Set<String> = []
  var parksInARow = 0
  private var pauseChange: PauseChange?
  private var isPauseKept = false
  /// The delay of the first delivery if items wait from an earlier run.
  private var startDelay: Duration?
  private var startGate: Duration = .zero
  var search = Search()

  /// The change of the target's pause that is to be committed.
  private enum PauseChange { case begins, ends }

  /// Makes a machine.
  ///
  /// - Parameters:
  ///   - policy: the rules for deliveries.
  ///   - startDelay: the delay of the first delivery if items wait from an earlier run.
  init(policy: UploadPolicy, startDelay: Duration = .zero) {
    self.policy = policy
    self.startDelay = startDelay
    budget = policy.retryBudget
    pacer = DeliveryPacer(perMinute: policy.deliveriesPerMinute)
  }

  /// Returns the next action.
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

  /// Takes the queue's answer to `fetch`.
  ///
  /// - Returns: the item to deliver now, if there is an item and it may still begin.
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

  /// Notes that the first settlement is committed.
  mutating func settled() {
    precondition(!settlements.isEmpty, "nothing was to be settled")
    queueFault = nil
    settlements.removeFirst()
  }

  /// Notes that the queue has failed.
  ///
  /// - Returns: the time until the queue is asked again.
  @discardableResult
  mutating func queueFailed(
    _ failure: DeliveryFailure, at now: Duration, random: Double
  ) -> Duration {
    let failures = (queueFault?.failures ?? 0) + 1
    let wait = policy.retry.wait(afterFailures: failures, failure, random: random)
    queueFault = QueueFault(end: now + wait, failures: failures, failure: failure)
    return wait
  }

  /// Notes that an item may have been added to the queue or released.
  mutating func arrived() { lookAgain() }

  /// Sets the external reasons not to begin deliveries.
  mutating func setHolds(_ holds: Set<UploadHold>) { self.holds = holds }

  /// Limits the number of parallel deliveries for now, 1 or more; `nil` for the policy's limit.
  mutating func setParallelLimit(_ limit: Int?) { parallelLimit = limit.map { max(1, $0) } }

  private var parallelDeliveries: Int {
    policy.order == .strict ? 1 : min(policy.parallelDeliveries, parallelLimit ?? .max)
  }

  /// Closes the upload window until it is checked again at an instant; `nil` opens it.
  mutating func setWindow(closedUntil instant: Duration?) { windowOpening = instant }

  /// All reasons not to begin deliveries.
  var allHolds: Set<UploadHold> { windowOpening == nil ? holds : holds.union([.window]) }

  private var isHeld: Bool { !holds.isEmpty || windowOpening != nil }

  /// Continues a pause of an earlier run of the service.
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

  /// Ends all waits except holds and rates, as a retry is known to be worthwhile.
  mutating func retryNow(at now: Duration) {
    breaker.endWait(at: now)
    faults.endWaits(at: now)
    queueFault?.end = now
    budget.refill()
    startGate = .zero
    note(pause: false)
    lookAgain()
  }

  /// Ends the wait of one item, as its retry is requested.
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
