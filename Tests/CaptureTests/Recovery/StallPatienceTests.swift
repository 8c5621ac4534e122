import Capture
import Devices
import SimulatedDevices
import Testing

@Suite struct StallPatienceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var frame: Duration
    var exposure: Duration
    var silence: Duration
    var first: Duration
    var testDescription: String { "\(frame), exposed for \(exposure)" }
  }

  static let cases = [
    Case(frame: .zero, exposure: .zero, silence: .milliseconds(1500), first: .milliseconds(1500)),
    Case(
      frame: .milliseconds(33), exposure: .milliseconds(20), silence: .milliseconds(1500),
      first: .milliseconds(1500)),
    Case(frame: .seconds(1), exposure: .zero, silence: .seconds(3), first: .seconds(12)),
    // A frame is never shorter than its exposure, even if the stream resolved to a shorter one.
    Case(
      frame: .milliseconds(33), exposure: .seconds(10), silence: .seconds(40),
      first: .seconds(130)),
    Case(frame: .seconds(60), exposure: .seconds(60), silence: .seconds(240), first: .seconds(780)),
  ]

  @Test(arguments: cases) func `the timeout follows frame and exposure`(_ given: Case) {
    let patience = StallPatience(
      timeout: .milliseconds(1500), frameDuration: given.frame, exposureDuration: given.exposure)
    #expect(patience.silence(isFirst: false) == given.silence)
    #expect(patience.silence(isFirst: true) == given.first)
    #expect(patience.longestFrame == max(given.frame, given.exposure))
  }

  /// The exposure takes nine seconds, and the stall timeout is a second and a half.
  @Test func `a long exposure is no stall`() async throws {
    let clock = ManualClock()
    let harness = SessionHarness(clock: clock) {
      $0.settings.controls.exposureMode = .custom(duration: .seconds(9), gain: 1)
      $0.settings.frameRate = 0.1
      $0.stallTimeout = .milliseconds(1500)
    }
    let session = harness.session
    let time = VirtualTime(clock: clock) { _ = await session.currentStatus }
    let hasFrames = await time.run(for: .seconds(300)) {
      await session.currentStatus.frameCount >= 4
    }
    #expect(hasFrames)
    let number = try await session.press(at: clock.now, source: .api)
    let isStored = await time.run(for: .seconds(60)) {
      await session.pressCounts.stored == 1
    }
    let record = await session.latestRecords(1).first
    #expect(isStored, "press \(number): \(String(describing: record))")
    let log = await session.interruptionLog
    #expect(log.lasting.isEmpty && log.ended.isEmpty, "\(log.lasting) \(log.ended)")
    #expect(await session.currentStatus.streamStartCount == 1)
    #expect(await session.longestCameraCall >= .seconds(25))
    harness.world.inject(.stalled)
    let isNoticed = await time.run(for: .seconds(100)) {
      await session.interruptionLog.lasting.contains { $0.reason == .cameraStalled }
    }
    #expect(isNoticed, "patience is not for ever")
    await harness.stop()
  }
}
