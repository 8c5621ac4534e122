import CMalloc
import Capture
import Devices
import Foundation
import SimulatedDevices
import TestSupport
import Testing

/// Many changes of the configuration in one process, which must not grow.
///
/// The test runs in real time on the simulated board. `PLATEN_RECONFIGURATIONS` sets the number of
/// changes, and `PLATEN_SEED` the seed. The full number is meant for a process of its own.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ReconfigurationTests {
  /// The number of bytes that a reconfiguration may keep, on the average of many.
  ///
  /// The number is less than any object that a reconfiguration could leave behind.
  private static let bytesSlack = 50.0
  /// The number of descriptors that Dispatch may open, one for each kind of timer at its first use.
  private static let descriptorSlack = 2
  /// The number of threads that a busy moment may add to Dispatch's pool.
  ///
  /// The pool keeps these threads as long as there is work now and then.
  private static let threadSlack = 4

  @Test func `reconfigurations leave no resources behind`() async throws {
    let count = SessionCampaign.number("PLATEN_RECONFIGURATIONS", 300)
    let seed = Int(TestSeed.value)
    var random = SeededGenerator(seed: UInt64(seed))
    let harness = harness()
    let events = harness.session.events.listen(limit: 4096)
    let draining = Task { for await _ in events {} }
    _ = await harness.wait()

    // The test library keeps a backtrace of each thrown error until the test has ended. Each
    // canceled sleep throws one as well: 90 bytes for each reconfiguration.
    let hook = CMalloc_exchangeWillThrow(nil)
    defer { _ = CMalloc_exchangeWillThrow(hook) }
    // The limited collections must be full before the measurement.
    try await fillLedger(harness)
    let warmUp = count / 5
    let half = (count - warmUp) / 2
    var tally = Tally()
    try await reconfigure(warmUp, harness, &random, &tally)
    var looks = [await ProcessFootprint.atRest()]
    for _ in 0..<2 {
      try await reconfigure(half, harness, &random, &tally)
      looks.append(await ProcessFootprint.atRest())
    }
    await harness.stop()
    await draining.value

    let growth = zip(looks, looks.dropFirst()).map { before, after in
      Double(after.allocated - before.allocated) / Double(half)
    }
    print(
      "figure: session: \(warmUp + 2 * half) reconfigurations from seed \(seed): "
        + "\(tally.streams) streams started, \(tally.switches) changes of the camera, "
        + "\(tally.presses) presses stored, \(tally.late) too late for their frame")
    print(
      "figure: session: after the first \(warmUp): \(looks[0]); after all: \(looks[2]); bytes "
        + "kept of each: \(growth.map { String(format: "%.1f", $0) }.joined(separator: ", then "))")
    #expect(tally.streams >= count / 2, "most of them must have touched the stream")
    // In a brief run with few presses, a single late press would be too many.
    if count >= 300 {
      #expect(tally.late * 10 <= tally.presses, "most presses must have been in time")
    }
    #expect(looks[2].descriptors <= looks[0].descriptors + Self.descriptorSlack)
    // A leak shows in both halves.
    let threads = zip(looks, looks.dropFirst()).map { $1.threads - $0.threads }
    #expect(try #require(threads.min()) <= Self.threadSlack, "\(looks)")
    // A smaller number cannot tell a leak from the allocator's habits.
    if count >= 5000 { #expect(try #require(growth.min()) < Self.bytesSlack) }
  }

  /// Enters as many presses as the session keeps records, all refused: the session is stopped then.
  private func fillLedger(_ harness: SessionHarness) async throws {
    await harness.session.stop()
    _ = await harness.wait { $0.state != .ready }
    for _ in 0..<PressLedger().limit {
      let record = try await harness.press()
      #expect(record?.outcome == .refused(RefusalReason(.stoppedByTechnician)))
    }
    await harness.session.resume()
    _ = await harness.wait()
  }

  private struct Tally {
    var streams = 0
    var switches = 0
    var presses = 0
    var late = 0
  }

  private func harness() -> SessionHarness {
    let models = FaultScript.cameras.map { id in
      // The first frame comes soon.
      var model = SimulatedCameraModel(pipelineLatency: 0, startUpFrames: 0)
      model.id = id
      return model
    }
    return SessionHarness(cameraModels: models, rememberedFrameCount: 64) {
      $0.cameras = [.main: .id("first"), FaultScript.roles[1]: .id("other")]
      $0.settings.preset = .custom(FrameSize(width: 320, height: 180))
      $0.settings.frameRate = 120
      $0.stream.ringFrameCount = 20
    }
  }

  private func reconfigure(
    _ count: Int, _ harness: SessionHarness, _ random: inout SeededGenerator, _ tally: inout Tally
  ) async throws {
    let session = harness.session
    let firstStream = await session.currentStatus.streamStartCount
    for number in 1...max(1, count) {
      let width = 160 + 32 * Int.random(in: 1...15, using: &random)
      let role = FaultScript.roles.randomElement(using: &random) ?? .main
      let isPressed = number.isMultiple(of: 20)
      // Four seconds are kept before a press, for a machine that is late.
      let frameRate = isPressed ? 5 : Double(Int.random(in: 60...120, using: &random))
      let roleBefore = await session.resolvedSettings.settings.camera
      try await session.configure {
        $0.preset = .custom(FrameSize(width: width, height: width * 9 / 16))
        $0.camera = role
        $0.frameRate = frameRate
      }
      if role != roleBefore { tally.switches += 1 }
      // The other changes follow each other as fast as possible.
      guard isPressed else { continue }
      _ = await harness.wait()
      let record = try await harness.press()
      switch record?.outcome {
      case .stored: tally.presses += 1
      // A busy machine may come too late for a camera of 120 frames a second, of which few are
      // kept.
      case .refused(.frameOverwritten): tally.late += 1
      default:
        Issue.record(
          "the press after reconfiguration \(number) ended as \(String(describing: record))")
      }
    }
    tally.streams += await session.currentStatus.streamStartCount - firstStream
  }
}
