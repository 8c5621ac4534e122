import CameraHost
import Devices
import TestSupport
import Testing

@testable import Service
@testable import Spool

@Suite(.timeLimit(.minutes(10))) struct MemoryServiceTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()

  @Test func `memory is given back once, 5 seconds after the last picture`() async throws {
    let (spool, calls, clock) = (try await scratch.open(), CallCount(), bench.clock)
    var press: Int64 = 0
    func store() async throws {
      press += 1
      _ = try await spool.store(.sample(press: press))
    }
    let service = MemoryService(spool: spool, clock: clock) { calls.add() }
    try await bench.whileRunning(service) {
      // A picture may come before the service listens.
      try await eventually {
        try await store()
        return clock.sleeperCount > 0
      }
      for _ in 0..<3 {
        clock.advance(by: .seconds(4))
        try await store()
        let deadline = clock.now.advanced(by: .seconds(5))
        try await eventually { clock.nextDeadline == deadline }
        #expect(calls.count == 0)
      }
      clock.advance(by: .seconds(5))
      try await eventually { calls.count == 1 }
      #expect(clock.sleeperCount == 0)
    }
    ProcessMemory.giveBackFreed()
    await spool.close()
  }
}
