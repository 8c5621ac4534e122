import Capture
import Devices
import TestSupport
import Testing

@Suite struct ReadinessTests {
  private func seconds(_ seconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
  }

  private func running() -> ReadinessStateMachine {
    var machine = ReadinessStateMachine(maximumCapturesInFlight: 2)
    machine.setRunning(true)
    machine.setFramesFlow(true)
    return machine
  }

  private func fill(_ machine: inout ReadinessStateMachine, waiting: Int, processing: Int) {
    for _ in 0..<processing {
      _ = machine.admit(at: seconds(0))
      machine.frameChosen()
    }
    for _ in 0..<waiting { _ = machine.admit(at: seconds(0)) }
  }

  @Test func `readiness follows the session`() {
    var machine = ReadinessStateMachine(maximumCapturesInFlight: 2)
    #expect(machine.readiness.state == .sessionNotRunning)
    #expect(machine.refusal == .sessionNotRunning)
    machine.setRunning(true)
    #expect(machine.readiness.state == .notReadyMomentarily)
    machine.setFramesFlow(true)
    #expect(machine.readiness.state == .ready)
    #expect(machine.refusal == nil)
    machine.setRunning(false)
    machine.setRunning(true)
    #expect(machine.readiness.state == .notReadyMomentarily, "frames must come anew")
  }

  @Test func `a starved camera takes no press`() {
    var machine = running()
    machine.setStarved(true)
    #expect(machine.readiness.state == .notReadyMomentarily)
    #expect(machine.refusal == RefusalReason(.buffersExhausted))
    machine.setStarved(false)
    #expect(machine.refusal == nil)
    machine.setStarved(true)
    machine.streamEnded()
    machine.setFramesFlow(true)
    #expect(machine.refusal == nil, "the next stream has its buffers")
  }

  @Test func `memory for one capture allows one capture`() {
    var machine = running()
    machine.limitCaptures(to: 1)
    fill(&machine, waiting: 1, processing: 0)
    #expect(machine.refusal == .tooManyCapturesInFlight)
    machine.limitCaptures(to: 0)
    #expect(machine.maximumCapturesInFlight == 1)
  }

  static let capacities: [(Int, Int, CaptureReadiness)] = [
    (1, 0, .ready), (1, 1, .notReadyWaitingForProcessing),
    (2, 0, .notReadyWaitingForCapture), (0, 2, .notReadyWaitingForProcessing),
  ]

  @Test(arguments: capacities)
  func `the capacity limits the captures in flight`(
    _ waiting: Int, _ processing: Int, _ expected: CaptureReadiness
  ) {
    var machine = running()
    fill(&machine, waiting: waiting, processing: processing)
    #expect(machine.readiness.state == expected)
    #expect(machine.refusal == (expected == .ready ? nil : .tooManyCapturesInFlight))
  }

  @Test func `the most important interruption comes first`() {
    var machine = running()
    machine.begin(.cameraStalled)
    machine.begin(.storageFull)
    machine.begin(.thermalPressure)
    #expect(machine.readiness.reasons == [.storageFull, .thermalPressure, .cameraStalled])
    #expect(machine.refusal == .storageFull)
    machine.end(.storageFull)
    #expect(machine.refusal == RefusalReason(.thermalPressure))
    machine.end(.thermalPressure)
    machine.end(.cameraStalled)
    #expect(machine.readiness.state == .ready)
    let hadBegun = machine.end(.cameraStalled)
    #expect(!hadBegun)
  }

  @Test func `a pause refuses for a moment and a warning never`() {
    var machine = running()
    machine.begin(.undervoltage, refuses: false)
    #expect(machine.readiness.state == .ready)
    #expect(machine.readiness.warnings == [.undervoltage])
    #expect(machine.refusal == nil)
    _ = machine.admit(at: seconds(10))
    machine.frameChosen()
    machine.setShotSpacing(.seconds(5), at: seconds(11))
    #expect(machine.readiness.state == .notReadyMomentarily)
    #expect(machine.readiness.reasons == [.thermalPressure])
    #expect(machine.refusal == RefusalReason(.thermalPressure))
    machine.begin(.cameraStalled)
    #expect(machine.readiness.state == .notReadyMomentarily)
    machine.end(.cameraStalled)
    machine.begin(.stoppedByTechnician)
    #expect(machine.readiness.state == .sessionNotRunning)
    machine.end(.stoppedByTechnician)
    machine.advance(to: seconds(14))
    #expect(machine.readiness.state == .notReadyMomentarily)
    #expect(machine.nextChange(after: seconds(14)) == seconds(15))
    #expect(machine.nextChange(after: seconds(15)) == nil)
    machine.advance(to: seconds(15))
    #expect(machine.readiness.state == .ready)
    machine.setShotSpacing(.seconds(60), at: seconds(16))
    #expect(machine.readiness.state == .notReadyMomentarily, "the press before counts, too")
    machine.setShotSpacing(nil, at: seconds(16))
    #expect(machine.readiness.state == .ready)
    let wasWarned = machine.end(.undervoltage, refuses: false)
    #expect(wasWarned)
    #expect(machine.readiness.warnings == [])
  }

  @Test func `only one of two simultaneous presses is taken while shots are spaced`() {
    var machine = running()
    machine.setShotSpacing(.seconds(5), at: seconds(1))
    let answers = [machine.admit(at: seconds(1)), machine.admit(at: seconds(1))]
    #expect(
      answers == [.admitted(streamNumber: 1), .refused(RefusalReason(.thermalPressure))])
    let later = machine.admit(at: seconds(6))
    #expect(later == .admitted(streamNumber: 1))
  }

  /// A press is refused exactly when the state is not ready.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `refusal and state agree`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var machine = ReadinessStateMachine(maximumCapturesInFlight: 3)
    var (waiting, processing) = (0, 0)
    var now = seconds(0)
    var (spacing, lastTaken) = (Duration?.none, MonotonicInstant?.none)
    for _ in 0..<500 {
      now = now.advanced(by: .milliseconds(Int64.random(in: 0...700, using: &random)))
      machine.advance(to: now)
      let reason = InterruptionReason.allCases.randomElement(using: &random) ?? .cameraFailed
      switch Int.random(in: 0..<10, using: &random) {
      case 0: machine.setRunning(Bool.random(using: &random))
      case 1: machine.setFramesFlow(Bool.random(using: &random))
      case 2: machine.begin(reason)
      case 3: machine.end(reason)
      case 4: machine.setReconfiguring(Bool.random(using: &random))
      case 5: machine.streamEnded()
      case 6 where waiting > 0:
        machine.frameChosen()
        (waiting, processing) = (waiting - 1, processing + 1)
      case 7 where waiting + processing > 0:
        let hadFrame = processing > 0
        machine.captureFinished(hadFrame: hadFrame)
        if hadFrame { processing -= 1 } else { waiting -= 1 }
      case 8:
        spacing = [nil, .milliseconds(300), .seconds(2)].randomElement(using: &random) ?? nil
        machine.setShotSpacing(spacing, at: now)
      default:
        let refusal = machine.refusal
        switch machine.admit(at: now) {
        case .admitted(let streamNumber):
          waiting += 1
          if let spacing, let lastTaken {
            #expect(lastTaken.duration(to: now) >= spacing, "seed \(seed)")
          }
          lastTaken = now
          #expect(refusal == nil, "seed \(seed)")
          #expect(streamNumber == machine.streamNumber, "seed \(seed)")
        case .refused(let reason): #expect(refusal == reason, "seed \(seed)")
        }
      }
      let readiness = machine.readiness
      #expect(readiness.capturesInFlight == waiting + processing, "seed \(seed)")
      #expect(readiness.capturesInFlight <= 3, "seed \(seed)")
      #expect((machine.refusal == nil) == (readiness.state == .ready), "seed \(seed)")
      #expect(readiness.reasons.isEmpty || readiness.state != .ready, "seed \(seed)")
    }
  }
}

extension ReadinessStateMachine {
  fileprivate mutating func begin(_ reason: InterruptionReason, refuses: Bool = true) {
    _ = begin(reason, refuses: refuses, at: MonotonicInstant(nanoseconds: 0))
  }

  @discardableResult
  fileprivate mutating func end(_ reason: InterruptionReason, refuses: Bool = true) -> Bool {
    end(reason, refuses: refuses, at: MonotonicInstant(nanoseconds: 0)) != nil
  }
}
