import Testing

@testable import Upload

/// A queue, a target and a clock around the state machine, without I/O.
///
/// A test moves the clock and decides how deliveries end. The promises of the machine are checked
/// at each step.
struct UploadWorld {
  /// The end of a delivery.
  enum Ending {
    case delivered
    case failed(DeliveryFailure)
  }

  var machine: UploadStateMachine
  var now: Duration = .zero
  /// The items of the queue, the oldest first.
  private(set) var waiting: [PendingDelivery] = []
  /// The items that the machine has claimed.
  private(set) var claims: Set<String> = []
  /// The deliveries that run, in the order in which they began.
  private(set) var inFlight: [String] = []
  /// All begun deliveries, with their instants.
  private(set) var begun: [(id: String, instant: Duration)] = []
  private(set) var delivered: [String] = []
  private(set) var parked: [String] = []
  private(set) var released: [String] = []
  private(set) var failedCount = 0
  private(set) var fetchCount = 0
  /// The pauses of the target that the queue was to keep.
  private(set) var pauses: [TargetPause?] = []
  /// The instant until which the machine waits; `nil` for ever.
  private(set) var waitEnd: Duration?
  /// The number of the next settlements and fetches that fail.
  var queueFaults = 0
  /// The end of the last begun delivery while the queue is asked for another item.
  ///
  /// With `nil` the delivery goes on.
  var endingDuringFetch: Ending?
  /// The number that every wait is drawn with.
  var random: Double = 1
  /// Whether the target has failed since it last worked, as an observer sees it.
  ///
  /// The set `probes` has the deliveries begun since then. A delivery begun before the last failure
  /// tells the observer nothing.
  private var isDown = false
  private var probes: Set<String> = []
  private var epoch = 0
  private var epochs: [String: Int] = [:]
  private var isStuck = false

  init(_ policy: UploadPolicy = .test(), items: [String] = [], startDelay: Duration = .zero) {
    machine = UploadStateMachine(policy: policy, startDelay: startDelay)
    for id in items { waiting.append(.test(id)) }
  }

  /// Puts an item into the queue.
  mutating func add(_ delivery: PendingDelivery) {
    waiting.append(delivery)
    machine.arrived()
  }

  /// Takes an item out of the queue as if it had never been there.
  mutating func remove(_ id: String) { waiting.removeAll { $0.id == id } }

  /// Carries out all that the machine wants now.
  ///
  /// - Returns: the items that were begun.
  @discardableResult
  mutating func pump() -> [String] {
    let count = begun.count
    for _ in 0..<10_000 where !isStuck {
      switch machine.next(at: now) {
      case .wait(let end):
        #expect(end ?? now + .seconds(1) > now, "a wait that is over is a busy loop")
        if end == nil, inFlight.isEmpty, machine.allHolds.isEmpty {
          #expect(waiting.isEmpty, "it waits for ever, with items that wait for it")
        }
        waitEnd = end
        return begun[count...].map(\.id)
      case .keep(let pause): pauses.append(pause)
      case .settle(let settlement):
        if isQueueFailing() { continue }
        settle(settlement)
        machine.settled()
      case .fetch(let excluded):
        fetchCount += 1
        if isQueueFailing() { continue }
        let found = waiting.first { !excluded.contains($0.id) && !claims.contains($0.id) }
        if let found { claims.insert(found.id) }
        if let ending = endingDuringFetch, let last = inFlight.last { end(last, ending) }
        if let delivery = machine.fetched(found, at: now) { begin(delivery) }
      }
    }
    if !isStuck { Issue.record("the machine does not come to rest") }
    isStuck = true
    return []
  }

  /// Moves the clock, and carries out the actions on the way.
  ///
  /// - Returns: the items that were begun.
  @discardableResult
  mutating func advance(to instant: Duration) -> [String] {
    var ids = pump()
    while let end = waitEnd, end <= instant, !isStuck {
      now = end
      ids += pump()
    }
    now = instant
    return ids + pump()
  }

  /// Ends a delivery.
  ///
  /// - Returns: the decision about the item if it has failed.
  @discardableResult
  mutating func end(_ id: String, _ ending: Ending) -> UploadStateMachine.Verdict? {
    guard let index = inFlight.firstIndex(of: id), let item = waiting.first(where: { $0.id == id })
    else {
      Issue.record("\"\(id)\" does not run")
      return nil
    }
    inFlight.remove(at: index)
    let isProbe = probes.remove(id) != nil
    let isCurrent = epochs[id] == epoch
    switch ending {
    case .delivered:
      if isProbe { isDown = false }
      machine.delivered(id, .test(item), at: now, random: random)
      return nil
    case .failed(let failure):
      if failure.scope == .item, isProbe, !failure.isLocal { isDown = false }
      // A wish for a pause holds, whenever its delivery was begun.
      let isWish = failure.retryAfter ?? .zero > .zero && !isDown
      if failure.scope == .target, failure.code != .queueFailed, isCurrent || isWish {
        isDown = true
        epoch += 1
      }
      return machine.failed(id, failure, at: now, random: random)
    }
  }

  /// Ends a delivery, and carries out the actions that follow.
  @discardableResult
  mutating func finish(_ id: String, _ ending: Ending) -> [String] {
    end(id, ending)
    return pump()
  }

  private mutating func begin(_ delivery: PendingDelivery) {
    #expect(!inFlight.contains(delivery.id), "\"\(delivery.id)\" is delivered twice at once")
    if machine.policy.order == .strict {
      #expect(waiting.first?.id == delivery.id, "\"\(delivery.id)\" overtakes")
    }
    if isDown {
      probes.insert(delivery.id)
      #expect(probes.count == 1, "\(probes) probe at once")
    }
    epochs[delivery.id] = epoch
    inFlight.append(delivery.id)
    begun.append((delivery.id, now))
    let limit = machine.policy.order == .strict ? 1 : machine.policy.parallelDeliveries
    #expect(inFlight.count <= limit)
  }

  private mutating func isQueueFailing() -> Bool {
    guard queueFaults > 0 else { return false }
    queueFaults -= 1
    machine.queueFailed(
      DeliveryFailure(.queueFailed, scope: .target, text: "full"), at: now, random: random)
    return true
  }

  private mutating func settle(_ settlement: UploadStateMachine.Settlement) {
    let id = settlement.id
    #expect(claims.remove(id) != nil, "\"\(id)\" is settled twice")
    switch settlement.result {
    case .complete:
      delivered.append(id)
      waiting.removeAll { $0.id == id }
    case .park:
      parked.append(id)
      waiting.removeAll { $0.id == id }
    case .release: released.append(id)
    case .failed(let failure, let attempts):
      failedCount += 1
      guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
      waiting[index].attempts = attempts
      if failure.scope == .item { waiting[index].itemFailures += 1 }
    }
  }
}

extension UploadPolicy {
  /// Makes a policy whose waits are easy to follow: one second, two, four ...
  static func test(
    parallel: Int = 2, order: Order = .oldestFirst, parkedAfter: Int = 8, perMinute: Int? = nil,
    budget: RetryBudget = RetryBudget()
  ) -> UploadPolicy {
    UploadPolicy(
      parallelDeliveries: parallel, order: order, itemFailuresUntilParked: parkedAfter,
      deliveriesPerMinute: perMinute, retryBudget: budget, startJitter: .zero)
  }
}

extension PendingDelivery {
  static func test(_ id: String, attempts: Int = 0, itemFailures: Int = 0) -> PendingDelivery {
    PendingDelivery(
      id: id, path: "/", byteCount: 1000, sha256: "00", remoteName: id, attempts: attempts,
      itemFailures: itemFailures, contentType: "image/jpeg")
  }
}

extension Receipt {
  static func test(_ delivery: PendingDelivery) -> Receipt {
    Receipt(
      url: "test:\(delivery.id)", remoteName: delivery.remoteName, sha256: delivery.sha256,
      verification: .readBack, status: 201, entityTag: nil, isDuplicate: false, wallNanoseconds: 0)
  }
}

extension UploadWorld.Ending {
  /// The item's fault.
  static let refused = Self.failed(
    DeliveryFailure(.rejected, scope: .item, text: "422", status: 422))
  /// The target's fault.
  static let broken = Self.failed(
    DeliveryFailure(.serverError, scope: .target, text: "500", status: 500))
  /// Makes the failure of a target that asks for a pause.
  static func busy(_ retryAfter: Duration? = nil) -> Self {
    .failed(
      DeliveryFailure(
        .throttled, scope: .target, text: "503", status: 503, retryAfter: retryAfter))
  }
  /// The connection broke.
  static let cut = Self.failed(DeliveryFailure(.unreachable, scope: .target, text: "reset"))
  /// The target wants other credentials, or dislikes the item.
  static let forbidden = Self.failed(
    DeliveryFailure(.unauthorized, scope: .target, text: "403", status: 403))
  /// The target wants other credentials.
  static let unauthorized = Self.failed(
    DeliveryFailure(.unauthorized, scope: .target, text: "401", status: 401))
}
