@testable import Upload

/// A queue in memory that records what it is told.
actor MemoryQueue: DeliveryQueue {
  struct Fault: Error {}

  private(set) var waiting: [PendingDelivery]
  private(set) var receipts: [(id: String, receipt: Receipt)] = []
  private(set) var failures: [(id: String, failure: DeliveryFailure, attempts: Int)] = []
  private(set) var fetches: [Set<String>] = []
  private var nextFaults = 0
  private var completeFaults = 0
  private let stream: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  init(_ waiting: [PendingDelivery] = []) {
    self.waiting = waiting
    (stream, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ delivery: PendingDelivery) {
    waiting.append(delivery)
    arrival.yield()
  }

  /// Lets the next calls fail.
  func breakDown(next: Int = 0, complete: Int = 0) {
    nextFaults = next
    completeFaults = complete
  }

  func next(excluding excluded: Set<String>) throws -> PendingDelivery? {
    fetches.append(excluded)
    if nextFaults > 0 {
      nextFaults -= 1
      throw Fault()
    }
    return waiting.first { !excluded.contains($0.id) }
  }

  nonisolated func arrivals() -> AsyncStream<Void> { stream }

  func failed(_ id: String, error: DeliveryFailure, attempts: Int) {
    failures.append((id, error, attempts))
    if let index = waiting.firstIndex(where: { $0.id == id }) { waiting[index].attempts = attempts }
  }

  func complete(_ id: String, receipt: Receipt) throws {
    if completeFaults > 0 {
      completeFaults -= 1
      throw Fault()
    }
    receipts.append((id, receipt))
    waiting.removeAll { $0.id == id }
  }

  func release(_ id: String) async {}
  func park(_ id: String, error: DeliveryFailure, attempts: Int) async throws {}
  func keep(_ state: ResumeState?, of id: String) async throws {}
  func keep(_ pause: TargetPause?) async throws {}
  func keptPause() async throws -> TargetPause? { nil }
}
