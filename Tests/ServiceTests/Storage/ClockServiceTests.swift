import Devices
import Doctor
import Spool
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct ClockServiceTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()

  /// A wall clock that is right from a certain reading on.
  private final class Wall: Sendable {
    private let readings = Mutex(0)
    private let rightAfter: Int

    init(rightAfter: Int) { self.rightAfter = rightAfter }

    func read(_ instant: MonotonicInstant) -> WallClockReading {
      let count = readings.withLock {
        $0 += 1
        return $0
      }
      let isRight = count > rightAfter
      return WallClockReading(
        nanosecondsSinceEpoch: instant.nanoseconds + (isRight ? 1_795_000_000_000_000_000 : 7),
        trust: isRight ? .synchronized : .estimated, secondsFromGMT: 0)
    }
  }

  /// A picture of this boot with an estimated time.
  private var item: NewItem {
    var item = NewItem.sample(press: 1)
    item.metadata.captured = CaptureTime(
      bootID: BootID.current, monotonicNanoseconds: 5_000_000_000,
      wallNanoseconds: 5_000_000_007, wallTrust: .estimated)
    return item
  }

  @Test func `pictures of this boot get their time once the clock is right`() async throws {
    let spool = try await scratch.open()
    let id = try await spool.store(item).id
    let wall = Wall(rightAfter: 2)
    let service = ClockService(
      spool: spool, clock: bench.clock, read: { wall.read($0) }, logger: bench.log.logger)
    try await bench.whileRunning(service) {
      for _ in 0..<2 {
        await bench.clock.untilSleepers(1)
        #expect(try await spool.item(id)?.captured.wallTrust == .estimated)
        bench.clock.advance(by: ClockService.interval)
      }
      try await eventually { try await spool.item(id)?.captured.wallTrust == .synchronized }
    }
    let captured = try #require(try await spool.item(id)?.captured)
    #expect(captured.wallNanoseconds == 1_795_000_005_000_000_000)
    #expect(bench.log.count("the clock is synchronized") == 1)
    await spool.close()
  }

  @Test func `the estimated time stays without a time source`() async throws {
    let spool = try await scratch.open()
    let id = try await spool.store(item).id
    let wall = Wall(rightAfter: .max)
    let service = ClockService(
      spool: spool, clock: bench.clock, read: { wall.read($0) }, logger: bench.log.logger)
    try await bench.whileRunning(service) {
      for _ in 0..<5 {
        await bench.clock.untilSleepers(1)
        bench.clock.advance(by: ClockService.interval)
      }
    }
    #expect(try await spool.item(id)?.captured.wallNanoseconds == 5_000_000_007)
    await spool.close()
  }
}
