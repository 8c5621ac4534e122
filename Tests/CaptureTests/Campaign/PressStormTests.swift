import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

/// Presses and undecided gestures from several tasks, faster than pictures can be taken.
///
/// Meanwhile the configuration changes, and interruptions come and go. The test runs in real time
/// on the simulated board. `PLATEN_STORM_PRESSES` sets the number of presses, and `PLATEN_SEED` the
/// seed.
@Suite(.serialized, .timeLimit(.minutes(30))) struct PressStormTests {
  private static let taskCount = 6

  @Test func `every press of a storm has one outcome`() async throws {
    let count = SessionCampaign.number("PLATEN_STORM_PRESSES", 600)
    let seed = Int(TestSeed.value)
    let harness = SessionHarness { $0.settings.frameRate = 50 }
    let observer = SessionObserver(harness.session.events.listen(limit: 1_000_000))
    _ = await harness.wait()
    let pressed = PressedNumbers()
    let share = count / Self.taskCount
    let disturbing = Task { await disturb(harness.session, seed: UInt64(seed)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<Self.taskCount {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(seed * 100 + task + 1))
          for _ in 0..<share { try await gesture(harness, &random, pressed) }
        }
      }
      try await group.waitForAll()
    }
    disturbing.cancel()
    await disturbing.value
    for number in pressed.all { _ = await harness.session.outcome(of: number) }
    // A ring of half a minute, for a machine that is late.
    try await harness.session.configure { $0.frameRate = 1 }
    _ = await harness.wait()
    let last = try await harness.press()
    pressed.note(last?.press.number)
    if case .stored = last?.outcome {
    } else {
      Issue.record("the last press: \(String(describing: last))")
    }
    await harness.stop()

    let seen = await observer.finish()
    seen.check("storm of seed \(seed)", presses: pressed.all)
    print(
      "figure: session: a storm of \(pressed.all.count) presses from \(Self.taskCount) tasks, "
        + "seed \(seed): \(seen.storedCount) stored, "
        + "\(seen.finished.count - seen.storedCount) refused, "
        + "\(seen.interruptionCount) interruptions")
    #expect(pressed.all.count == share * Self.taskCount + 1)
    #expect(seen.storedCount > 1, "a storm in which nothing is stored shows little")
    #expect(seen.finished.count > seen.storedCount, "a storm in which nothing is refused is none")
  }

  /// Makes a plain press, a press with a held frame, or a withdrawn gesture and a press after it.
  private func gesture(
    _ harness: SessionHarness, _ random: inout SeededGenerator, _ pressed: PressedNumbers
  ) async throws {
    let session = harness.session
    let pause = Int.random(in: 0...20, using: &random)
    let kind = Int.random(in: 0..<4, using: &random)
    let time = harness.world.clock.now
    let held = kind < 2 ? nil : await session.anticipate(at: time)
    try await Task.sleep(for: .milliseconds(pause))
    var anticipation = held
    if kind == 3, let held {
      await session.withdraw(held)
      anticipation = nil
    }
    pressed.note(
      try await session.press(
        at: anticipation == nil ? harness.world.clock.now : time, source: .button,
        anticipation: anticipation))
  }

  /// Changes the configuration and interrupts the session until canceled, then undoes it all.
  private func disturb(_ session: CaptureSession, seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    while !Task.isCancelled {
      let width = 320 + 32 * Int.random(in: 0...10, using: &random)
      if Bool.random(using: &random) {
        _ = try? await session.configure {
          $0.preset = .custom(FrameSize(width: width, height: width * 9 / 16))
        }
      } else {
        await session.beginInterruption(.storageFull)
        try? await Task.sleep(for: .milliseconds(Int.random(in: 1...60, using: &random)))
        await session.endInterruption(.storageFull)
      }
      try? await Task.sleep(for: .milliseconds(Int.random(in: 100...400, using: &random)))
    }
  }
}
