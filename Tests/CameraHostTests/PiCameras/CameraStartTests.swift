import CameraHost
import Devices
import Testing

/// The first frames after a start, which are damaged or taken while the camera adjusts itself.
@Suite(.timeLimit(.minutes(5))) struct CameraStartTests {
  /// The driver of an OV5647 completes the first two frames with an error.
  @Test func `errors before the first frame are not reported`() async throws {
    let system = try Fixture.piCameras("vc4/ov5647")
    let camera = try await system.openFirst()
    let stream = try await camera.start(
      StreamConfiguration(size: FrameSize(width: 1024, height: 768)))
    events: for await event in stream.events {
      switch event {
      case .frame(let frame):
        #expect(frame.sequence > 2)
        break events
      case .damagedFrame: Issue.record("an error before the first frame is reported")
      default: break
      }
    }
    await system.shutDown()
  }

  /// Exposure and focus search during the first twenty frames with a buffer.
  @Test func `frames report that the camera adjusts itself`() async throws {
    let system = try Fixture.piCameras("vc4/imx708")
    let camera = try await system.openFirst()
    let stream = try await camera.start(
      StreamConfiguration(size: FrameSize(width: 1920, height: 1080), frameRate: 30))
    // A busy machine may miss events, but not all of the first ones.
    var seen: [[CameraAdjustment]] = []
    for await case .frame(let frame) in stream.events {
      if seen.last != frame.adjusting { seen.append(frame.adjusting) }
      if frame.adjusting.isEmpty { break }
    }
    #expect(seen == [[.exposure, .focus], []])
    await system.shutDown()
  }
}
