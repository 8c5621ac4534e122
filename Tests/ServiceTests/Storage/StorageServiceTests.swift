import Capture
import Devices
import Doctor
import Foundation
import TestSupport
import Testing
import Upload

@testable import Service
@testable import Spool

@Suite(.timeLimit(.minutes(10))) struct StorageServiceTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()

  private func service(_ spool: Spool) -> StorageService {
    StorageService(
      spool: spool, session: bench.session, clock: bench.clock, logger: bench.log.logger)
  }

  @Test func `a full spool interrupts until there is room`() async throws {
    // Room for one large picture and a little more.
    let spool = try await scratch.open {
      $0.maximumBytes = StorageCheck.Room.forOnePicture + 1000
    }
    let events = bench.session.events.listen()
    try await bench.whileRunning(service(spool)) {
      await bench.clock.untilSleepers(2)
      #expect(bench.session.readiness.reasons == [])
      _ = try await spool.store(.sample(press: 1, bytes: 2000))
      bench.clock.advance(by: .seconds(1))
      await bench.untilInterrupted(by: [.storageFull], events)
      let number = try await bench.session.press(at: bench.clock.now, source: .button)
      #expect(
        await bench.session.outcome(of: number)?.outcome == .refused(.storageFull))
      for _ in 0..<5 {
        await bench.clock.untilSleepers(2)
        bench.clock.advance(by: .seconds(1))
      }
      await bench.clock.untilSleepers(2)
      #expect(bench.session.readiness.reasons == [.storageFull], "still full")
      #expect(bench.log.count("capture interrupted") == 1, "said once")

      let queue = SpoolDeliveryQueue(spool: spool, target: .primary)
      let delivery = try #require(try await queue.next(excluding: []))
      try await queue.complete(delivery.id, receipt: .sample(delivery))
      bench.clock.advance(by: .seconds(1))
      await bench.untilInterrupted(by: [], events)
    }
    #expect(bench.session.readiness.reasons == [])
  }

  @Test func `a disk that is full at the start interrupts at once`() async throws {
    // The spool must leave more room free than any disk has.
    let spool = try await scratch.open { $0.minimumFreeBytes = 1 << 60 }
    let events = bench.session.events.listen()
    try await bench.whileRunning(service(spool)) {
      await bench.untilInterrupted(by: [.storageFull], events)
    }
    #expect(bench.session.readiness.reasons == [.storageFull])
  }

  @Test func `a disk that does not answer interrupts until it does`() async throws {
    let spool = try await scratch.open()
    let events = bench.session.events.listen()
    try await bench.whileRunning(service(spool)) {
      await bench.clock.untilSleepers(2)
      let disk = DispatchSemaphore(value: 0)
      let (begins, begun) = AsyncStream.makeStream(of: Void.self)
      let stalled = Task { await spool.wait(for: disk, begun) }
      for await _ in begins { break }
      // The question is asked, and is not answered for as long as a stall may last.
      await bench.clock.run(for: .seconds(1))
      await bench.clock.untilSleepers(1)
      var seconds = 0
      while bench.session.readiness.reasons.isEmpty, seconds <= 20 {
        bench.clock.advance(by: .seconds(1))
        await bench.clock.untilSleepers(1)
        seconds += 1
      }
      #expect((4...20).contains(seconds))
      await bench.untilInterrupted(by: [.storageStalled], events)
      disk.signal()
      await stalled.value
      await bench.clock.untilSleepers(2)
      bench.clock.advance(by: .seconds(1))
      await bench.untilInterrupted(by: [], events)
    }
    await spool.close()
  }

  /// Short calls in a row keep the spool busy for long: no press is refused.
  @Test func `calls that wait for one another are no stall`() async throws {
    let spool = try await scratch.open()
    try await bench.whileRunning(service(spool)) {
      await bench.clock.untilSleepers(2)
      var earlier: (disk: DispatchSemaphore, call: Task<Void, Never>)?
      for _ in 0..<10 {
        let disk = DispatchSemaphore(value: 0)
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let call = Task { await spool.wait(for: disk, begun) }
        // The next call waits already when the earlier call ends, so that the spool is never idle.
        earlier?.disk.signal()
        for await _ in begins { break }
        await earlier?.call.value
        earlier = (disk, call)
        bench.clock.advance(by: .seconds(1))
        await bench.clock.untilSleepers(1)
        #expect(bench.session.readiness.reasons.isEmpty)
      }
      earlier?.disk.signal()
      await earlier?.call.value
    }
    await spool.close()
  }

  @Test func `a failed spool ends the service with its error`() async throws {
    let spool = try await scratch.open()
    let running = Task { try await service(spool).run() }
    await bench.clock.untilSleepers(2)
    // The directory of the pictures is gone: from here on the state of the disk is unknown.
    try FileManager.default.removeItem(atPath: scratch.directory + "/items")
    await #expect(throws: SpoolError.self) { try await spool.store(.sample(press: 1)) }
    let error = await #expect(throws: SpoolError.self) { try await running.value }
    #expect(error?.code == .failed)
    #expect(bench.session.readiness.reasons == [.storageFailed])
    #expect(bench.log.count("critical: the spool failed, restarting") == 1)
    await spool.close()
  }

  @Test func `a spool that failed before the start ends the service too`() async throws {
    let spool = try await scratch.open()
    try FileManager.default.removeItem(atPath: scratch.directory + "/items")
    await #expect(throws: SpoolError.self) { try await spool.store(.sample(press: 1)) }
    await #expect(throws: SpoolError.self) { try await service(spool).run() }
    #expect(bench.session.readiness.reasons.first == .storageFailed)
    await spool.close()
  }

  @Test func `the end of the service closes the spool`() async throws {
    let spool = try await scratch.open()
    try await bench.whileRunning(service(spool)) { await bench.clock.untilSleepers(2) }
    let error = await #expect(throws: SpoolError.self) { try await spool.counts() }
    #expect(error?.code == .closed)
    // Another process can have the directory now.
    let again = try await scratch.open()
    await again.close()
  }
}
