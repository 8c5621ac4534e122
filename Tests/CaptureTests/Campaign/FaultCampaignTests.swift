import Devices
import Foundation
import SimulatedDevices
import TestSupport
import Testing

@testable import Capture

/// Random sequences of faults, changes and presses on the simulated board, in virtual time.
///
/// After each sequence all faults are cleared. The session must then become ready again by itself.
/// Every press must have exactly one outcome, and every interruption must have ended.
/// `PLATEN_SESSION_SEQUENCES` sets the number of sequences, and `PLATEN_SEED` the first seed.
@Suite(.serialized, .timeLimit(.minutes(30))) struct FaultCampaignTests {
  @Test func `a session survives every sequence of faults`() async throws {
    let first = Int(TestSeed.value)
    let count = SessionCampaign.number("PLATEN_SESSION_SEQUENCES", 25)
    var tally = Tally()
    // The sequences run one after the other: virtual time advances after a short rest in real time.
    for seed in first..<(first + count) { tally.add(await play(UInt64(seed))) }
    print(
      "figure: session: \(count) fault sequences from seed \(first): \(tally.events) events, "
        + "\(tally.presses) presses (\(tally.stored) stored, \(tally.refused) refused), "
        + "\(tally.interruptions) interruptions, ready again after "
        + "\(Self.seconds(tally.longestRecovery)) s at most, in virtual time")
    let troubles = CameraTrouble.allCases.map { "\($0.rawValue) \(tally.troubles[$0] ?? 0)" }
    print("figure: session: what the cameras did: \(troubles.joined(separator: ", "))")
    print(
      "figure: session: \(tally.looks) looks while interrupted, "
        + "\(tally.readyWhileInterrupted) of them ready")
    #expect(tally.looks > 0)
    #expect(tally.readyWhileInterrupted == 0)
    // A small number of sequences need not contain every trouble.
    guard count >= 100 else { return }
    for trouble in CameraTrouble.allCases {
      #expect(tally.troubles[trouble] ?? 0 > 0, "\(trouble.rawValue) never happened")
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    String(format: "%.1f", duration / .seconds(1))
  }

  private struct Tally {
    var events = 0
    var presses = 0
    var stored = 0
    var refused = 0
    var interruptions = 0
    var longestRecovery = Duration.zero
    /// The troubles that the cameras really had, which are fewer than the injected ones.
    var troubles: [CameraTrouble: Int] = [:]
    /// The number of looks at the session during an interruption in its own log.
    var looks = 0
    var readyWhileInterrupted = 0

    mutating func add(_ other: Tally) {
      events += other.events
      presses += other.presses
      stored += other.stored
      refused += other.refused
      interruptions += other.interruptions
      longestRecovery = max(longestRecovery, other.longestRecovery)
      troubles.merge(other.troubles, uniquingKeysWith: +)
      looks += other.looks
      readyWhileInterrupted += other.readyWhileInterrupted
    }

    /// Compares the readiness with the log of interruptions, which is kept apart from it.
    mutating func look(at session: CaptureSession) async {
      let before = await session.interruptionLog.lasting
      guard !before.isEmpty else { return }
      let state = session.readiness.state
      let after = await session.interruptionLog.lasting
      // An interruption that lasts before and after has lasted all the time between.
      guard
        before.contains(where: { interruption in
          after.contains {
            $0.reason == interruption.reason && $0.beganAt == interruption.beganAt
          }
        })
      else { return }
      looks += 1
      if state == .ready { readyWhileInterrupted += 1 }
    }
  }

  private func harness(_ clock: ManualClock, hasLamp: Bool) -> SessionHarness {
    let models = FaultScript.cameras.map { id in
      var model = SimulatedCameraModel()
      model.id = id
      return model
    }
    return SessionHarness(cameraModels: models, clock: clock, hasLamp: hasLamp) {
      $0.lamp = LampPolicy(mode: .shot, leadTime: .milliseconds(100))
      $0.cameras = [.main: .id("first"), FaultScript.roles[1]: .id("other")]
      $0.standby = FaultScript.roles[1]
      $0.settings.preset = .custom(FrameSize(width: 320, height: 180))
      $0.settings.frameRate = 30
    }
  }

  private func play(_ seed: UInt64) async -> Tally {
    var tally = Tally()
    var random = SeededGenerator(seed: seed)
    let clock = ManualClock()
    let harness = harness(clock, hasLamp: seed.isMultiple(of: 2))
    let time = VirtualTime(clock: clock) { [session = harness.session] in
      _ = await session.currentStatus
    }
    let observer = SessionObserver(
      harness.session.events.listen(limit: 100_000),
      cameras: Dictionary(uniqueKeysWithValues: zip(FaultScript.roles, FaultScript.cameras)))
    let session = harness.session
    let began = await time.run(for: .seconds(30)) { session.readiness.state == .ready }
    #expect(began, "seed \(seed): never ready at the start")

    let pressed = PressedNumbers()
    var changes: [Task<Void, Never>] = []
    for event in FaultScript.events(&random) {
      tally.events += 1
      if case .wait(let milliseconds) = event {
        _ = await time.run(for: .milliseconds(milliseconds)) {
          await tally.look(at: session)
          return false
        }
      } else if let change = await carryOut(event, in: harness, pressed) {
        changes.append(change)
      }
    }

    await mend(harness)
    let mended = clock.now
    let isReady = await time.run(for: .seconds(180)) {
      await tally.look(at: session)
      guard session.readiness.state == .ready else { return false }
      let counts = await session.pressCounts
      return counts.inFlight == 0
    }
    let status = await session.currentStatus
    #expect(isReady, "seed \(seed): not ready again: \(session.readiness), \(status)")
    tally.longestRecovery = max(tally.longestRecovery, mended.duration(to: clock.now))
    let finished = Task { for change in changes { await change.value } }
    let isOver = Completion()
    Task {
      await finished.value
      isOver.finish()
    }
    let isDone = await time.run(for: .seconds(60)) {
      guard isOver.isFinished else { return false }
      let counts = await session.pressCounts
      return counts.inFlight == 0
    }
    #expect(isDone, "seed \(seed): a change of the configuration never ended")
    await expectNothingLeft(seed, harness)
    let stopping = Task { await harness.stop() }
    let isStopped = Completion()
    Task {
      await stopping.value
      isStopped.finish()
    }
    _ = await time.run(for: .seconds(60)) { isStopped.isFinished }
    await stopping.value
    #expect(!harness.world.isLampOn, "seed \(seed): the lamp stayed lit")
    let seen = await observer.finish()
    seen.check("seed \(seed)", presses: pressed.all)
    for (trouble, times) in harness.world.cameraTroubles {
      tally.troubles[trouble, default: 0] += times
    }
    tally.presses += seen.finished.count
    tally.stored += seen.storedCount
    tally.refused += seen.finished.count - seen.storedCount
    tally.interruptions += seen.interruptionCount
    return tally
  }

  private func expectNothingLeft(_ seed: UInt64, _ harness: SessionHarness) async {
    let log = await harness.session.interruptionLog
    #expect(log.lasting.isEmpty, "seed \(seed): \(log.lasting)")
    let counts = await harness.session.pressCounts
    #expect(counts.inFlight == 0, "seed \(seed)")
  }

  private func mend(_ harness: SessionHarness) async {
    for camera in FaultScript.cameras {
      for fault in CameraFault.allCases { harness.world.clear(fault, camera: camera) }
      harness.world.mendFrames(camera: camera)
    }
    for reason in [InterruptionReason.storageFull, .storageStalled, .thermalPressure] {
      await harness.session.endInterruption(reason)
    }
    await harness.session.apply(.none)
    await harness.session.resume()
  }

  /// Makes an event happen; slow work continues in the returned task.
  private func carryOut(
    _ event: FaultScript.Event, in harness: SessionHarness, _ pressed: PressedNumbers
  ) async -> Task<Void, Never>? {
    let session = harness.session
    let world = harness.world
    switch event {
    case .inject(let fault, let camera): world.inject(fault, camera: camera)
    case .clear(let fault, let camera): world.clear(fault, camera: camera)
    case .cancelStreams: world.cancelStreams()
    case .damageFrames(let count): world.damageFrames(count)
    case .failStarts(let count): world.failNextStarts(count)
    case .press:
      pressed.note(try? await session.press(at: world.clock.now, source: .button))
    case .anticipate(let decides):
      let time = world.clock.now
      guard let anticipation = await session.anticipate(at: time) else { return nil }
      return Task {
        try? await world.clock.sleep(for: .milliseconds(300))
        if decides {
          pressed.note(
            try? await session.press(at: time, source: .button, anticipation: anticipation))
        } else {
          await session.withdraw(anticipation)
        }
      }
    case .configure(let preset, let role):
      return Task {
        _ = try? await session.configure {
          $0.preset = preset
          $0.camera = role
        }
      }
    case .switchCamera: return Task { _ = try? await session.switchCamera() }
    case .limitFrameRate(let limit):
      return Task { await session.apply(CaptureConstraints(maximumFrameRate: limit)) }
    case .beginInterruption(let reason): await session.beginInterruption(reason)
    case .endInterruption(let reason): await session.endInterruption(reason)
    case .stop: await session.stop()
    case .resume: await session.resume()
    case .wait: break
    }
    return nil
  }
}
