import API
import SimulatedDevices
import Testing

@testable import Service

/// The order of events that two tasks send.
@Suite struct EventNumberingTests {
  private func rotation(_ angle: Int) -> RigEvent.Payload {
    .rotation(
      RotationReport(
        captureAngle: angle, previewAngle: angle, exifOrientation: 1, accelerometer: "healthy",
        acceleration: nil))
  }

  @Test func `an older report on the rotation is not sent after a newer one`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: RigEvent.self)
    let numbering = EventNumbering(continuation, clock: ManualClock())
    let (first, second, third) = (numbering.turn(), numbering.turn(), numbering.turn())
    await numbering.send(rotation(90), turn: second)
    await numbering.send(rotation(0), turn: first)
    await numbering.send(.targets([]), turn: first)
    await numbering.send(rotation(180), turn: third)
    continuation.finish()
    var events: [RigEvent] = []
    for await event in stream { events.append(event) }
    #expect(events.map(\.payload) == [rotation(90), .targets([]), rotation(180)])
    #expect(events.map(\.id) == [1, 2, 3], "nothing is missing")
  }
}
