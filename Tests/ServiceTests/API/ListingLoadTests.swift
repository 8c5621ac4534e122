import API
import RigConfiguration
import Spool
import Synchronization
import TestSupport
import Testing

@testable import Service

/// Listings that keep the spool busy, and the presses meanwhile.
@Suite(.timeLimit(.minutes(10))) struct ListingLoadTests {
  /// The number of listed pages, and whether the presses have their pictures.
  private final class Progress: Sendable {
    let count = Mutex(0)
    let isStored = Mutex(false)
  }

  private let scratch = ScratchSpool()

  /// The listings go on until the press has its picture, so that they cannot be over before it.
  @Test func `thirty full listings of 100,000 pictures at a time refuse no press`() async throws {
    try await scratch.open().close()
    try HistoryFiller.fill(scratch.directory + "/queue.db", items: 100_000)
    let bench = try await PipelineBench(scratch)
    // The model's clock stands still, so that a slow listing is not given up.
    let clock = ManualClock()
    let model = RigModel(
      rigID: "rig-1", board: .simulated, session: bench.session, spool: bench.spool,
      spoolConfiguration: scratch.configuration, targets: [],
      monitor: RigMonitor(hasAccelerometer: false), indicatorNames: [:], world: bench.world,
      clock: clock, startedAt: clock.now)
    let progress = Progress()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<30 {
        group.addTask {
          var before: String?
          while !progress.isStored.withLock({ $0 }), !Task.isCancelled {
            let list = try await model.spoolItems(SpoolItemFilter(limit: 1000, before: before))
            #expect(list.items.count == 1000 || before != nil && list.next == nil)
            before = list.next
            progress.count.withLock { $0 += 1 }
          }
        }
      }
      try await eventually { progress.count.withLock { $0 } > 0 }
      for _ in 0..<3 {
        let number = try await bench.press()
        let item = try await bench.stored(number)
        #expect(item != nil, "press \(number)")
      }
      progress.isStored.withLock { $0 = true }
      try await group.waitForAll()
    }
    await bench.stop()
  }
}
