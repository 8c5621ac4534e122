import Devices
import SimulatedDevices
import TestSupport
import Testing

@testable import Capture

@Suite struct StallDetectorTests {
  private func detector(timeout: Duration = .milliseconds(500)) -> StallDetector {
    StallDetector(
      CaptureSessionConfiguration(
        camera: .first, stream: StreamConfiguration(size: FrameSize(width: 64, height: 36)),
        stallTimeout: timeout, recoveryTimeout: .seconds(2)))
  }

  private func frame(
    _ id: UInt64, frameDuration: Duration? = nil, exposure: Duration? = nil
  ) -> FrameInfo {
    FrameInfo(
      id: id, sequence: id, timestamp: instant(0), exposureDuration: exposure,
      frameDuration: frameDuration)
  }

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
    var detector = detector(timeout: .milliseconds(1500))
    detector.exposures = PendingDuration(given.exposure)
    detector.begin(at: instant(0))
    #expect(detector.stall(given.frame)?.begin == instant(0).advanced(by: given.first))
    detector.frameArrived(frame(1), at: instant(100))
    #expect(detector.stall(given.frame)?.begin == instant(100).advanced(by: given.silence))
    #expect(detector.longestFrame(given.frame) == max(given.frame, given.exposure))
  }

  @Test func `only a watched stream stalls`() {
    var detector = detector()
    #expect(detector.stall(.zero)?.begin == nil)
    detector.begin(at: instant(100))
    #expect(detector.stall(.zero)?.begin == instant(600))
    #expect(detector.stall(.zero)?.end == instant(2600))
    detector.streamEnded()
    #expect(detector.stall(.zero)?.begin == nil)
  }

  @Test func `a frame ends the silence, and a damaged one does not`() {
    var detector = detector()
    detector.begin(at: instant(100))
    detector.frameDamaged()
    #expect(detector.stall(.zero)?.begin == instant(600))
    detector.frameArrived(frame(1), at: instant(300))
    #expect(detector.stall(.zero)?.begin == instant(800))
    #expect(detector.damagedCount == 0)
  }

  @Test func `the longest frame and exposure count`() {
    var detector = detector()
    detector.frameArrived(
      frame(1, frameDuration: .seconds(2), exposure: .seconds(1)), at: instant(0))
    #expect(detector.longestFrame(.seconds(1)) == .seconds(2), "the camera reports it")
    #expect(detector.stall(.zero)?.begin == instant(7000), "three frames and the exposure")
    detector.exposures.set(.seconds(3))
    #expect(detector.longestFrame(.seconds(1)) == .seconds(3), "controls are under way")
    detector.streamEnded()
    #expect(detector.longestFrame(.zero) == .seconds(3), "they are so with the next stream")
  }

  @Test func `a frame of an earlier, lower rate is no stall`() {
    var detector = detector()
    detector.frameDurations = PendingDuration(.milliseconds(200))
    detector.frameDurations.set(.milliseconds(33))
    for id in 1..<PendingDuration.framesUnderWay {
      detector.frameArrived(frame(id, frameDuration: .milliseconds(33)), at: instant(0))
      #expect(detector.longestFrame(.milliseconds(33)) == .milliseconds(200), "frame \(id)")
      #expect(detector.stall(.milliseconds(33))?.begin == instant(600))
    }
    detector.frameArrived(frame(9, frameDuration: .milliseconds(33)), at: instant(0))
    #expect(detector.longestFrame(.milliseconds(33)) == .milliseconds(33))
  }

  @Test func `a fault names its silence and the damaged frames`() {
    var detector = detector()
    detector.begin(at: instant(0))
    let silent = detector.fault(of: "camera", at: instant(2500))
    #expect(silent.code == .timedOut)
    #expect(silent.description == "\"camera\" gave no frame for 2500 ms")
    detector.frameDamaged()
    detector.frameDamaged()
    #expect(detector.fault(of: "camera", at: instant(2500)).cause == "2 frames were damaged")
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
