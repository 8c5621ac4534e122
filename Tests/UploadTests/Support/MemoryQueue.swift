import Devices

@testable import Upload

/// A queue in memory that records its calls, and is strict about claims.
actor MemoryQueue: DeliveryQueue {
  struct Fault: Error {}

  /// The functions that can be made to fail.
  enum Function { case next, failed, park, complete, keepState, keepPause, keptPause }

  private(set) var waiting: [PendingDelivery]
  private(set) var claims: Set<String> = []
  private(set) var receipts: [(id: String, receipt: Receipt)] = []
  private(set) var failures: [(id: String, failure: DeliveryFailure, attempts: Int)] = []
  private(set) var parked: [(id: String, failure: DeliveryFailure, attempts: Int)] = []
  private(set) var releases: [String] = []
  private(set) var states: [(id: String, state: ResumeState?)] = []
  private(set) var pauses: [TargetPause?] = []
  private var pause: TargetPause?
  private var damaged: Set<String> = []
  private var faults: [Function: Int] = [:]
  private let arrivals = EventHub<Void>()

  init(_ waiting: [PendingDelivery] = [], pause: TargetPause? = nil) {
    self.waiting = waiting
    self.pause = pause
  }

  func add(_ delivery: PendingDelivery) {
    waiting.append(delivery)
    arrivals.send(())
  }

  /// Makes a parked item wait again, without an arrival.
  func unpark(_ delivery: PendingDelivery) { waiting.append(delivery) }

  /// Takes an item out as if it had never been in the queue.
  func remove(_ id: String) { waiting.removeAll { $0.id == id } }

  /// Lets the next calls of a function fail.
  func breakDown(_ function: Function, times: Int) { faults[function] = times }

  /// Makes an item leave the queue at its next failure.
  func damage(_ id: String) { damaged.insert(id) }

  func next(excluding excluded: Set<String>) throws -> PendingDelivery? {
    try fail(.next)
    let delivery = waiting.first { !excluded.contains($0.id) && !claims.contains($0.id) }
    if let delivery { claims.insert(delivery.id) }
    return delivery
  }

  nonisolated func tellArrivals(to listener: @escaping @Sendable () -> Void) {
    arrivals.forward { listener() }
  }

  func release(_ id: String) {
    unclaim(id)
    releases.append(id)
  }

  func failed(_ id: String, error: DeliveryFailure, attempts: Int) throws -> Bool {
    try fail(.failed)
    unclaim(id)
    guard !leaves(id) else { return false }
    failures.append((id, error, attempts))
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return true }
    waiting[index].attempts = attempts
    if error.scope == .item { waiting[index].itemFailures += 1 }
    return true
  }

  func park(_ id: String, error: DeliveryFailure, attempts: Int) throws -> Bool {
    try fail(.park)
    unclaim(id)
    guard !leaves(id) else { return false }
    parked.append((id, error, attempts))
    waiting.removeAll { $0.id == id }
    return true
  }

  private func leaves(_ id: String) -> Bool {
    guard damaged.contains(id) else { return false }
    remove(id)
    return true
  }

  func keep(_ state: ResumeState?, of id: String) throws {
    try fail(.keepState)
    states.append((id, state))
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting[index].resumeState = state
  }

  func complete(_ id: String, receipt: Receipt) throws {
    try fail(.complete)
    unclaim(id)
    receipts.append((id, receipt))
    waiting.removeAll { $0.id == id }
  }

  func keep(_ pause: TargetPause?) throws {
    try fail(.keepPause)
    self.pause = pause
    pauses.append(pause)
  }

  func keptPause() throws -> TargetPause? {
    try fail(.keptPause)
    return pause
  }

  private func unclaim(_ id: String) {
    precondition(claims.remove(id) != nil, "\"\(id)\" is claimed by nobody")
  }

  private func fail(_ function: Function) throws {
    guard let left = faults[function], left > 0 else { return }
    faults[function] = left - 1
    throw Fault()
  }
}
