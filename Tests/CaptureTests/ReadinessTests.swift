import Capture
import Devices
import Testing

@Suite struct ReadinessTests {
  private func running() -> ReadinessStateMachine {
    var machine = ReadinessStateMachine(maximumCapturesInFlight: 2)
    machine.setRunning(true)
    machine.setFramesFlow(true)
    return machine
  }

  @Test func followsTheSession() {
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

  static let capacities: [(Int, Int, Readiness.State)] = [
    (1, 0, .ready), (1, 1, .notReadyWaitingForProcessing),
    (2, 0, .notReadyWaitingForCapture), (0, 2, .notReadyWaitingForProcessing),
  ]

  @Test(arguments: capacities)
  func capacity(_ waiting: Int, _ processing: Int, _ expected: Readiness.State) {
    var machine = running()
    machine.setCaptures(waitingForFrame: waiting, processing: processing)
    #expect(machine.readiness.state == expected)
    #expect(machine.refusal == (expected == .ready ? nil : .tooManyCapturesInFlight))
  }

  @Test func theMostImportantInterruptionComesFirst() {
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

  /// Whatever happens, a press is refused exactly when the state is not ready.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func refusalAndStateAgree(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var machine = ReadinessStateMachine(maximumCapturesInFlight: 3)
    for _ in 0..<500 {
      let reason = InterruptionReason.priority.randomElement(using: &random) ?? .cameraFailed
      switch Int.random(in: 0..<5, using: &random) {
      case 0: machine.setRunning(Bool.random(using: &random))
      case 1: machine.setFramesFlow(Bool.random(using: &random))
      case 2: machine.begin(reason)
      case 3: machine.end(reason)
      default:
        machine.setCaptures(
          waitingForFrame: Int.random(in: 0...3, using: &random),
          processing: Int.random(in: 0...3, using: &random))
      }
      let readiness = machine.readiness
      #expect((machine.refusal == nil) == (readiness.state == .ready), "seed \(seed)")
      #expect(readiness.reasons.isEmpty || readiness.state == .sessionNotRunning, "seed \(seed)")
    }
  }

  @Test func everyReasonHasItsPlace() {
    for reason in InterruptionReason.priority {
      var machine = running()
      machine.begin(reason)
      let fault = IndicatorLanguage.fault(machine.readiness, accelerometer: .ok)
      #expect(fault != .off)
      #expect(IndicatorLanguage.ready(machine.readiness) == .off)
    }
  }

  @Test func lights() {
    var machine = running()
    #expect(IndicatorLanguage.ready(machine.readiness) == .on)
    #expect(IndicatorLanguage.fault(machine.readiness, accelerometer: .none) == .off)
    #expect(IndicatorLanguage.fault(machine.readiness, accelerometer: .frozen) == .flashes(4))
    machine.setCaptures(waitingForFrame: 1, processing: 0)
    #expect(IndicatorLanguage.ready(machine.readiness).steps.count == 2)
    #expect(IndicatorLanguage.upload(.idle) == .off)
    #expect(IndicatorLanguage.upload(.active) == .on)
  }
}
