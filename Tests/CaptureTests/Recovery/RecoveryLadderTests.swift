import Capture
import Devices
import TestSupport
import Testing

@Suite struct RecoveryLadderTests {
  private let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)
  private let fault = DeviceError(.timedOut, device: "camera", problem: "gave no frame")
  private let absence = DeviceError(.absent, device: "camera", problem: "was not found")

  private func at(_ seconds: Double) -> MonotonicInstant {
    start.advanced(by: .seconds(seconds))
  }

  @Test func `the recovery steps become more drastic`() {
    var ladder = RecoveryLadder(startedAt: start)
    var rungs: [RecoveryLadder.Rung] = []
    var pauses: [Duration] = []
    for second in 0..<8 {
      let step = ladder.failed(fault, at: at(700 + Double(second)))
      rungs.append(step.rung)
      pauses.append(step.pause)
    }
    #expect(
      rungs == [
        .restartStream, .restartStream, .reopenCamera, .reopenCamera, .renewCameraSystem,
        .renewCameraSystem, .restartService, .restartService,
      ])
    #expect(pauses.prefix(4) == [.milliseconds(200), .seconds(1), .seconds(5), .seconds(30)])
    #expect(pauses.last == .seconds(30))
  }

  @Test func `the service is not restarted soon after its start`() {
    var ladder = RecoveryLadder(startedAt: start)
    for second in 0..<100 {
      let step = ladder.failed(fault, at: at(Double(second)))
      #expect(step.rung < .restartService)
    }
    var alone = RecoveryLadder(policy: .init(minimumUptime: nil), startedAt: start)
    for second in 0..<100 {
      let step = alone.failed(fault, at: at(10_000 + Double(second)))
      #expect(step.rung < .restartService, "nobody would start it anew")
    }
  }

  @Test func `an external cause is waited for`() {
    var ladder = RecoveryLadder(startedAt: start)
    for second in 0..<1000 {
      let step = ladder.failed(absence, at: at(Double(second) * 2))
      #expect(step.rung == .reopenCamera)
      #expect(step.pause <= .seconds(2))
    }
  }

  @Test func `an unsupported setting does not restart the service`() {
    let error = DeviceError(.unsupported, device: "camera", problem: "has no flicker avoidance")
    var ladder = RecoveryLadder(startedAt: start)
    for second in 0..<1000 {
      let step = ladder.failed(error, at: at(700 + Double(second) * 2))
      #expect(step.rung < .restartService)
    }
  }

  @Test func `only a longer run of frames resets the ladder`() {
    var ladder = RecoveryLadder(startedAt: start)
    for second in 0..<4 { _ = ladder.failed(fault, at: at(Double(second))) }
    ladder.frameArrived(at: at(5))
    ladder.frameArrived(at: at(6))
    let soon = ladder.failed(fault, at: at(7))
    #expect(soon.rung == .renewCameraSystem, "two frames are none")
    ladder.frameArrived(at: at(10))
    ladder.frameArrived(at: at(20.5))
    #expect(ladder.failureCount == 0)
    let later = ladder.failed(fault, at: at(21))
    #expect(later.rung == .restartStream)
  }

  @Test func `a request for a new process restarts the service at once`() {
    var ladder = RecoveryLadder(startedAt: start)
    let fatal = DeviceError(.needsNewProcess, device: "camera", problem: "is lost")
    let step = ladder.failed(fatal, at: at(1))
    #expect(step.rung == .restartService)
  }

  @Test func `three failures in a minute suggest the standby`() {
    var ladder = RecoveryLadder(startedAt: start)
    var suggestions: [Bool] = []
    for second in [0.0, 50, 100, 105, 110] {
      let step = ladder.failed(fault, at: at(second))
      suggestions.append(step.suggestsStandby)
    }
    #expect(suggestions == [false, false, false, true, true])
    ladder.cameraChanged()
    let step = ladder.failed(fault, at: at(111))
    #expect(!step.suggestsStandby)
    #expect(step.rung == .restartStream)
  }

  /// Without this rule, two cameras behind one hanging driver would take turns for ever.
  @Test(arguments: [1, 2]) func `the ladder goes on when the standby takes over`(attempts: Int) {
    var ladder = RecoveryLadder(
      policy: .init(attemptsPerRung: attempts, minimumUptime: .zero), startedAt: start)
    var rungs: [RecoveryLadder.Rung] = []
    var switches = 0
    for second in 0..<(attempts * 4) {
      let step = ladder.failed(fault, at: at(Double(second)))
      rungs.append(step.rung)
      guard step.suggestsStandby else { continue }
      switches += 1
      ladder.standbyChanged()
    }
    let climbed = RecoveryLadder.Rung.allCases.prefix(4)
      .flatMap { Array(repeating: $0, count: attempts) }
    #expect(rungs == climbed)
    #expect(switches == attempts * 4 / 3)
  }

  /// No rung is skipped upwards, and a camera that works for a while starts at the first rung.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func `the ladder is climbed rung by rung`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var ladder = RecoveryLadder(startedAt: start)
    var now = 0.0
    var last: RecoveryLadder.Rung?
    for _ in 0..<500 {
      now += Double.random(in: 0.01...8, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let step = ladder.failed(absence, at: at(now))
        #expect(step.rung == .reopenCamera, "seed \(seed)")
      case 1, 2:
        let step = ladder.failed(fault, at: at(now))
        let before = last?.rawValue ?? 0
        #expect(
          step.rung.rawValue <= before + 1 || step.rung == .restartStream, "seed \(seed)")
        last = step.rung
        #expect(step.pause > .zero, "seed \(seed)")
      default:
        ladder.frameArrived(at: at(now))
        now += 0.02
        ladder.frameArrived(at: at(now))
        if ladder.failureCount == 0 { last = nil }
      }
    }
    ladder.frameArrived(at: at(now + 1))
    ladder.frameArrived(at: at(now + 12))
    let step = ladder.failed(fault, at: at(now + 13))
    #expect(step.rung == .restartStream, "seed \(seed)")
  }

  @Test func `only allowed rungs are used`() {
    let policy = RecoveryLadder.Policy(
      rungs: [.restartStream, .renewCameraSystem], attemptsPerRung: 1, minimumUptime: .zero)
    var ladder = RecoveryLadder(policy: policy, startedAt: start)
    let rungs = (0..<4).map { ladder.failed(fault, at: at(Double($0))).rung }
    #expect(
      rungs == [.restartStream, .renewCameraSystem, .renewCameraSystem, .renewCameraSystem])
    let fatal = DeviceError(.needsNewProcess, device: "camera", problem: "is lost")
    let step = ladder.failed(fatal, at: at(5))
    #expect(step.rung == .renewCameraSystem, "the service may not end")
    let waiting = ladder.failed(absence, at: at(6))
    #expect(waiting.rung == .reopenCamera, "waiting is always allowed")
  }

  @Test func `a working camera is reported once`() {
    var ladder = RecoveryLadder(startedAt: start)
    let said = (0..<30).map { ladder.frameArrived(at: at(Double($0))) }
    #expect(said.firstIndex(of: true) == 10)
    #expect(said.count { $0 } == 1)
    _ = ladder.failed(fault, at: at(40))
    let again = (41..<60).map { ladder.frameArrived(at: at(Double($0))) }
    #expect(again.count { $0 } == 1)
  }
}
