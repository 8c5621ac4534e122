import Devices
import Dispatch
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CameraEventsTests {
  private func damaged(_ numbers: ClosedRange<UInt64>) -> [CameraEvent] {
    numbers.map { .damagedFrame(sequence: $0) }
  }

  private func all(of events: CameraEvents) async -> [CameraEvent] {
    var found: [CameraEvent] = []
    for await event in events { found.append(event) }
    return found
  }

  @Test func `events come in their order, and nothing after the end`() async {
    let events = CameraEvents()
    for event in damaged(1...3) { events.send(event) }
    events.finish()
    events.send(.starved)
    #expect(await all(of: events) == damaged(1...3))
    #expect(await all(of: events).isEmpty)
  }

  @Test func `a slow reader loses the oldest events`() async {
    let events = CameraEvents()
    let limit = UInt64(CameraEvents.limit)
    for event in damaged(1...(limit + 10)) { events.send(event) }
    events.finish()
    #expect(await all(of: events) == damaged(11...(limit + 10)))
  }

  @Test func `a reader that waits gets the events and the end`() async {
    let events = CameraEvents()
    let reading = Task { await all(of: events) }
    for event in damaged(1...100) {
      events.send(event)
      await Task.yield()
    }
    events.finish()
    #expect(await reading.value == damaged(1...100))
  }

  @Test func `a cancellation ends the reading after the unread events`() async {
    for round in 0..<200 {
      let events = CameraEvents()
      events.send(.starved)
      let reading = Task { await all(of: events) }
      if round.isMultiple(of: 2) { await Task.yield() }
      reading.cancel()
      #expect(await reading.value == [.starved])
      // The events themselves go on for another reader.
      events.send(.replenished)
      events.finish()
      #expect(await all(of: events) == [.replenished])
    }
  }

  @Test func `a task of an actor is resumed on the actor's queue at once`() async throws {
    let reader = Reader()
    let events = CameraEvents()
    let reading = Task.detached(executorPreference: ActorTasks(on: reader.executor)) {
      await reader.read(events)
    }
    try await eventually { await reader.isReading }
    let queue = reader.executor.queue
    for number in 1...3 {
      queue.suspend()
      events.send(.damagedFrame(sequence: UInt64(number)))
      // After a detour over the shared pool, the reader's job would come behind this one.
      queue.async { [log = reader.log] in log.append("after \(number)") }
      queue.resume()
      try await eventually { reader.log.lines.count == 2 * number }
    }
    events.finish()
    await reading.value
    #expect(reader.log.lines == ["1", "after 1", "2", "after 2", "3", "after 3"])
  }
}

/// A reader that writes the numbers of damaged frames into its log.
private actor Reader {
  let executor = DispatchQueueExecutor(label: "test")
  nonisolated let log = Log()
  private(set) var isReading = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func read(_ events: CameraEvents) async {
    isReading = true
    for await event in events {
      if case .damagedFrame(let number) = event { log.append("\(number)") }
    }
  }
}

/// The lines of several threads, in their order.
private final class Log: Sendable {
  private let written = Mutex<[String]>([])

  var lines: [String] { written.withLock { $0 } }

  func append(_ line: String) { written.withLock { $0.append(line) } }
}
