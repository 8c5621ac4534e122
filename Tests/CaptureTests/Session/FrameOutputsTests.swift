import Devices
import Testing

@testable import Capture

/// The outputs of a session, which all take the events of its stream.
@Suite struct FrameOutputsTests {
  private let now = MonotonicInstant(nanoseconds: 1_000_000_000)

  private func outputs() -> FrameOutputs {
    FrameOutputs(
      photo: PhotoOutput(
        CaptureSessionConfiguration(
          camera: .first, stream: StreamConfiguration(size: FrameSize(width: 64, height: 36)))))
  }

  private func frame(_ id: UInt64) -> FrameInfo {
    FrameInfo(
      id: id, sequence: id, timestamp: MonotonicInstant(nanoseconds: Int64(id) * 100_000_000))
  }

  /// Anticipates a press now, which waits for a frame.
  private func anticipate(_ outputs: inout FrameOutputs) {
    _ = outputs.photo.anticipate(at: now, deadline: now.advanced(by: .seconds(1)), now: now)
  }

  @Test func `a frame reaches all outputs`() {
    var outputs = outputs()
    anticipate(&outputs)
    #expect(outputs.needsLight)
    #expect(outputs.nextDeadline == now.advanced(by: .seconds(1)))
    let reply = outputs.take(.frame(frame(10), isLit: true), now: now)
    #expect(reply.leases.map(\.frame.id) == [10])
    #expect(outputs.preview.newest?.id == 10)
    #expect(!outputs.needsLight)
    #expect(outputs.nextDeadline == nil)
  }

  @Test func `a frame without its light is for viewing only`() {
    var outputs = outputs()
    anticipate(&outputs)
    let reply = outputs.take(.frame(frame(10), isLit: false), now: now)
    #expect(reply.leases.isEmpty && reply.actions.isEmpty)
    #expect(outputs.preview.newest?.id == 10)
    #expect(outputs.needsLight)
  }

  @Test(arguments: [false, true])
  func `the end of a stream ends requests and previews`(isSessionOver: Bool) {
    var outputs = outputs()
    anticipate(&outputs)
    outputs.take(.frame(frame(9), isLit: true), now: now)
    outputs.take(isSessionOver ? .sessionEnded : .ended(.noFrameInTime), now: now)
    #expect(outputs.photo.isIdle)
    #expect(outputs.nextDeadline == nil)
    #expect(outputs.preview.newest == nil)
  }

  @Test func `the time ends a request at its deadline`() throws {
    var outputs = outputs()
    anticipate(&outputs)
    let deadline = try #require(outputs.nextDeadline)
    outputs.take(.timePassed, now: deadline)
    #expect(outputs.photo.isIdle)
  }

  @Test func `another light leaves no earlier frame for a press`() {
    var outputs = outputs()
    outputs.take(.frame(frame(10), isLit: true), now: now)
    outputs.take(.lightChanged, now: now)
    anticipate(&outputs)
    #expect(outputs.nextDeadline != nil, "the press waits for a frame in the new light")
    #expect(outputs.preview.newest?.id == 10)
  }

  @Test func `a stream begins with its memory`() {
    var outputs = outputs()
    outputs.take(.began(ringFrameCount: 7, maximumCapturesInFlight: 2), now: now)
    #expect(outputs.photo.selector.ringFrameCount == 7)
    #expect(outputs.photo.prioritizer.maximumCapturesInFlight == 2)
  }
}
