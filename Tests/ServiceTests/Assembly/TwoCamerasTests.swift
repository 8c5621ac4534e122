import Capture
import Devices
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Service

/// The assembled service on the simulated board with two cameras.
@Suite(.timeLimit(.minutes(10))) struct TwoCamerasTests {
  private let scratch = ScratchSpool()
  private let log = RecordedLog()

  private var text: String {
    """
    rig: { id: rig-1 }
    board: simulated
    camera: {
      standby: desk, preset: document, frame_rate: 5, ring_frames: 20, stall_timeout: 60 s,
      maximum_wait: 60 s }
    cameras:
      page: { id: cam-page }
      desk: { position: external }
    shutter: { line: SHUTTER }
    spool: { directory: \(scratch.directory), minimum_free: 0 B }
    api: { socket: \(scratch.directory).sock }
    """
  }

  @Test func `the standby takes over when a camera is lost`() async throws {
    let service = try await AssembledService(text, spool: try await scratch.open(), log: log)
    let (world, events) = (service.world, service.events)
    #expect(world.cameraModels.map(\.id) == ["/base/simulated/desk", "cam-page"])

    let first = try #require(await status(events) { $0.stream != nil })
    #expect(first.cameraRole == CameraRole(rawValue: "page"))
    #expect(first.camera?.id == "cam-page")
    #expect(first.preset == .document)
    #expect(first.stream?.format.size == FrameSize(width: 1024, height: 768))
    #expect(!first.isStandbyInUse)
    #expect(log.count("stream.preset: document") + log.count("\"stream.preset\": document") > 0)

    world.inject(.absent, camera: "cam-page")
    let second = try #require(await status(events) { $0.isStandbyInUse && $0.stream != nil })
    #expect(second.cameraRole == CameraRole(rawValue: "desk"))
    #expect(second.camera?.id == "/base/simulated/desk")
    #expect(second.stream?.format.size == FrameSize(width: 1024, height: 768))
    #expect(second.lastFault?.isEmpty == false)

    // A press takes its picture with the other camera.
    await service.becomeReady()
    world.press(for: .milliseconds(100))
    var outcome: PressOutcome?
    for await case .press(let record) in events where record.outcome != nil {
      outcome = record.outcome
      break
    }
    guard case .stored? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(!world.deliveredFrames(camera: "/base/simulated/desk").isEmpty)
    try await service.end()
  }

  /// Returns the next status of the session that fulfills the condition.
  private func status(
    _ events: AsyncStream<CaptureEvent>, _ isWanted: (CaptureSessionStatus) -> Bool
  ) async -> CaptureSessionStatus? {
    for await case .session(let status) in events where isWanted(status) { return status }
    return nil
  }
}
