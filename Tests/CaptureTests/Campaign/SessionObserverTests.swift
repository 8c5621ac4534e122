import Devices
import Testing

@testable import Capture

/// The judge of the campaigns must itself be able to find a fault.
@Suite struct SessionObserverTests {
  private static let began = MonotonicInstant(nanoseconds: 1)
  private static let ready = CaptureEvent.readiness(
    Readiness(state: .ready, reasons: [], capturesInFlight: 0))
  private static let status = CaptureEvent.session(CaptureSessionStatus())

  private static func refusing(_ reasons: InterruptionReason...) -> CaptureEvent {
    .readiness(Readiness(state: .notReadyMomentarily, reasons: reasons, capturesInFlight: 0))
  }

  private static func begin(_ reason: InterruptionReason) -> CaptureEvent {
    .interruption(Interruption(reason: reason, beganAt: began))
  }

  private static func end(_ reason: InterruptionReason) -> CaptureEvent {
    var interruption = Interruption(reason: reason, beganAt: began)
    interruption.endedAt = MonotonicInstant(nanoseconds: 2)
    return .interruption(interruption)
  }

  private func contradictions(_ events: CaptureEvent...) -> Int {
    var seen = SessionObserver.Seen()
    for event in events { seen.take(event) }
    return seen.readyWhileInterrupted
  }

  @Test func `an interruption in the log and the readiness is in order`() {
    let count = contradictions(
      Self.ready, Self.refusing(.cameraStalled), Self.begin(.cameraStalled), Self.status,
      Self.refusing(.cameraUnplugged, .cameraStalled), Self.begin(.cameraUnplugged),
      Self.refusing(.cameraUnplugged), Self.end(.cameraStalled), Self.ready,
      Self.end(.cameraUnplugged), Self.status)
    #expect(count == 0)
  }

  @Test func `a readiness without an interruption of the log is a contradiction`() {
    #expect(contradictions(Self.ready, Self.begin(.cameraStalled)) == 1)
    let early = contradictions(
      Self.refusing(.cameraStalled), Self.begin(.cameraStalled), Self.ready, Self.status,
      Self.end(.cameraStalled))
    #expect(early == 1)
  }

  @Test func `a readiness with only one of two interruptions is a contradiction`() {
    let count = contradictions(
      Self.refusing(.cameraStalled), Self.begin(.cameraStalled), Self.begin(.storageFull))
    #expect(count == 1)
  }
}
