import Devices
import Testing

@testable import Spool

/// The events that tell of the first and of the last delivery of a queue.
struct QueueStateTests {
  let directory = TestDirectory()
  static let backup = TargetID(rawValue: "backup")
  static let waiting = QueueState(hasPending: true)

  private func open(_ policies: [TargetID: ProxyPolicy] = [:]) async throws -> Spool {
    try await Spool.open(
      directory.configuration {
        $0.targets = [.primary, Self.backup]
        $0.proxyPolicies = policies
      }, environment: SpoolEnvironment(bootID: "b"))
  }

  /// Closes a spool and returns the changes of its queues that a listener has got.
  private func changes(_ events: AsyncStream<SpoolEvent>, _ spool: Spool) async -> [SpoolEvent] {
    await spool.close()
    var seen: [SpoolEvent] = []
    for await event in events { seen.append(event) }
    return seen.filter { if case .queue = $0 { true } else { false } }
  }

  @Test func `Only the first and the last delivery of a queue change it`() async throws {
    let spool = try await open()
    let events = await spool.events()
    let one = try await spool.store(.sample(1)).id
    let two = try await spool.store(.sample(2)).id
    #expect(try await spool.deliverAll().count == 2)
    _ = try await spool.nextDelivery(target: Self.backup)
    try await spool.recordAttempt(one, failure: .sample, target: Self.backup)
    try await spool.park(one, failure: .sample, target: Self.backup)
    #expect(
      try await spool.queue(of: Self.backup) == QueueState(hasPending: true, hasParked: true))
    try await spool.delete(two, confirming: two)
    #expect(try await spool.queue(of: Self.backup) == QueueState(hasParked: true))
    try await spool.retry(one)
    #expect(try await spool.queue(of: Self.backup) == Self.waiting)
    #expect(
      await changes(events, spool) == [
        .queue(.primary, Self.waiting), .queue(Self.backup, Self.waiting),
        .queue(.primary, QueueState()),
        .queue(Self.backup, QueueState(hasPending: true, hasParked: true)),
        .queue(Self.backup, QueueState(hasParked: true)),
        .queue(Self.backup, Self.waiting),
      ])
  }

  @Test func `A restart finds the queues as they were`() async throws {
    var spool = try await open()
    let id = try await spool.store(.sample(1)).id
    try await spool.park(id, failure: .sample)
    await spool.close()
    spool = try await open()
    #expect(try await spool.queue(of: .primary) == QueueState(hasParked: true))
    #expect(try await spool.queue(of: Self.backup) == Self.waiting)
    #expect(try await spool.queue(of: TargetID(rawValue: "unknown")) == QueueState())
    let events = await spool.events()
    _ = try await spool.reservePressNumbers(count: 1)
    #expect(await changes(events, spool) == [])
  }

  @Test func `A proxy waits only for the targets that get it now`() async throws {
    let spool = try await open([.primary: .finalOnly, Self.backup: .proxyFirst])
    let events = await spool.events()
    let id = try await spool.storeProxy(.sample(1), source: [1, 2, 3]).id
    #expect(try await spool.queue(of: .primary) == QueueState())
    _ = try await spool.beginFinal(of: id)
    #expect(try await spool.queue(of: Self.backup) == QueueState())
    await spool.abandonFinal(of: id)
    #expect(try await spool.queue(of: Self.backup) == Self.waiting)
    try await spool.keepProxy(id, because: .heat)
    #expect(
      await changes(events, spool) == [
        .queue(Self.backup, Self.waiting), .queue(Self.backup, QueueState()),
        .queue(Self.backup, Self.waiting), .queue(.primary, Self.waiting),
      ])
  }
}
