import Devices
import PageSense
import SimulatedDevices
import Synchronization
import TestSupport
import Testing

@testable import Capture
@testable import Service

/// Pages that are turned before the simulated camera.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HandsFreeServiceTests {
  /// The clock of the service's pauses.
  private let pauses = PauseClock()

  /// Makes a driver before pages that are turned, and ends the rig afterwards.
  private func withDriver(
    countdown: Int, letters: PageLook? = nil, clock: any MonotonicClock,
    _ body: (PageRig, HandsFreeDriver, RigMonitor) async throws -> Void
  ) async throws {
    let rig = try await PageRig(letters: letters) { world, _, _ in PageRig.findings(world) }
    let monitor = RigMonitor(hasAccelerometer: false)
    var policy = PageTurnPolicy()
    (policy.stillTime, policy.countdown) = (.milliseconds(300), countdown)
    let driver = HandsFreeDriver(
      policy, session: rig.session, previews: rig.previews, pages: rig.pages, monitor: monitor,
      clock: clock, logger: RecordedLog().logger)
    do {
      try await body(rig, driver, monitor)
    } catch {
      await rig.end()
      throw error
    }
    await rig.end()
  }

  /// Runs the service beside a test's own steps.
  private func withRig(
    countdown: Int = 1, letters: PageLook? = nil,
    _ body: (PageRig, AsyncStream<RigMonitor.Change>) async throws -> Void
  ) async throws {
    let clock = SystemMonotonicClock()
    try await withDriver(countdown: countdown, letters: letters, clock: clock) {
      rig, driver, monitor in
      let changes = monitor.changes.listen(limit: 256)
      // The service needs its readings at once, and the makers' clock stands still.
      let ticking = Task {
        while !Task.isCancelled {
          rig.clock.advance(to: clock.now)
          try await clock.sleep(for: .milliseconds(10))
        }
      }
      defer { ticking.cancel() }
      let service = HandsFreeService(driver: driver, session: rig.session, clock: pauses)
      try await ServiceBench().whileRunning(service) { try await body(rig, changes) }
    }
  }

  /// Does something, and waits until the page has been read afterwards.
  private func untilRead(_ rig: PageRig, after act: () async throws -> Void) async throws {
    let count = await rig.pages.readingCount
    try await act()
    try await eventually { await rig.pages.readingCount > count }
  }

  /// Waits for a dozen observations; each pause follows one.
  private func untilObserved() async throws {
    let enough = pauses.count + 12
    try await eventually { pauses.count >= enough }
  }

  /// Waits until the page that lies there at the start has been read.
  private func untilRead(_ rig: PageRig) async throws {
    try await eventually { await rig.pages.readingCount > 0 }
  }

  /// Waits until that page is known, and not only read, also where frames come late.
  private func untilKnown(_ rig: PageRig) async throws {
    try await untilRead(rig)
    let frameCount = await rig.session.currentStatus.frameCount
    try await untilObserved()
    try await eventually { await rig.session.currentStatus.frameCount >= frameCount + 12 }
    try await untilObserved()
  }

  @Test func `a page is taken once when the hand is gone`() async throws {
    try await withRig { rig, _ in
      // The page that lies there has its picture.
      try await untilRead(rig)
      try await untilRead(rig) {
        rig.world.showHand(true)
        rig.world.showPage(2)
      }
      // A hand that stays is looked at again and again.
      try await untilRead(rig) {}
      #expect(await rig.session.pressCounts.stored == 0)
      rig.world.showHand(false)
      try await eventually { await rig.session.pressCounts.stored == 1 }
      let record = try #require(await rig.session.latestRecords(1).first)
      #expect(record.press.source == .handsFree)
      // A hand over the same page is no turned page.
      try await untilRead(rig) { rig.world.showHand(true) }
      try await untilRead(rig) { rig.world.showHand(false) }
      rig.world.showPage(3)
      try await eventually { await rig.session.pressCounts.stored == 2 }
      try await untilRead(rig) { rig.world.showHand(true) }
      #expect(await rig.session.pressCounts.stored == 2)
    }
  }

  @Test func `the countdown is shown until the page is taken`() async throws {
    // For a clock that shows the boot, every frame is new enough.
    let clock = ManualClock(now: MonotonicInstant(nanoseconds: 0))
    try await withDriver(countdown: 2, clock: clock) { rig, driver, monitor in
      var (taken, seenFrames): (MonotonicInstant?, UInt64) = (nil, 0)
      /// Observes each new frame a tenth of a second after the one before, until a condition holds.
      func observe(until isEnough: () async -> Bool) async throws {
        try await eventually {
          let frameCount = await rig.session.currentStatus.frameCount
          guard frameCount > seenFrames else { return false }
          seenFrames = frameCount
          clock.advance(by: .milliseconds(100))
          rig.clock.advance(by: PageMaker.shortestPause)
          taken = await driver.observe()
          return await isEnough()
        }
      }
      try await observe { await rig.pages.readingCount > 1 }
      rig.world.showPage(2)
      try await observe { await monitor.snapshot.countdown == 2 }
      clock.advance(by: .seconds(1))
      try await observe { await monitor.snapshot.countdown == 1 }
      clock.advance(by: .seconds(1))
      try await observe { taken != nil }
      #expect(await monitor.snapshot.countdown == nil)
    }
  }

  @Test func `a press by hand ends the countdown and is the picture of its page`() async throws {
    try await withRig(countdown: 3600) { rig, changes in
      try await untilRead(rig)
      rig.world.showPage(2)
      // Two readings that are a second apart leave less than the whole time.
      for await case .countdown(.some) in changes { break }
      // The page is read once more, and has its picture.
      try await untilRead(rig) {
        let number = try await rig.session.press(at: SystemMonotonicClock().now, source: .api)
        for await case .countdown(nil) in changes { break }
        _ = await rig.session.outcome(of: number)
      }
      try await untilRead(rig) { rig.world.showHand(true) }
      rig.world.showPage(3)
      rig.world.showHand(false)
      for await case .countdown(.some) in changes { break }
      #expect(await rig.session.pressCounts.stored == 1)
    }
  }

  @Test func `the letters decide whether a page was turned, whatever else has changed`()
    async throws
  {
    let letters = try SeenPageTests.letters(ofPage: 1)
    try await withRig(countdown: 0, letters: letters) { rig, _ in
      // The first page gets a picture if the scene moved before it was read.
      try await untilKnown(rig)
      let presses = await rig.session.latestRecords(10).count
      try await untilRead(rig) { rig.world.showPage(2) }
      try await untilObserved()
      #expect(await rig.session.latestRecords(10).count == presses)
    }
  }

  @Test func `a hot rig waits for presses`() async throws {
    try await withRig { rig, _ in
      try await untilKnown(rig)
      await rig.session.apply(CaptureConstraints(preview: .limited(framesPerSecond: 2)))
      let count = await rig.pages.readingCount
      rig.world.showPage(2)
      try await untilObserved()
      #expect(await rig.pages.readingCount == count)
      await rig.session.apply(.none)
      try await eventually { await rig.session.pressCounts.stored == 1 }
    }
  }
}

/// The system's clock, which counts the pauses.
private final class PauseClock: MonotonicClock {
  private let pauses = Mutex(0)
  private let system = SystemMonotonicClock()

  /// The number of pauses that have begun.
  var count: Int { pauses.withLock { $0 } }

  var now: MonotonicInstant { system.now }

  func sleep(until instant: MonotonicInstant) async throws {
    pauses.withLock { $0 += 1 }
    try await system.sleep(until: instant)
  }
}
