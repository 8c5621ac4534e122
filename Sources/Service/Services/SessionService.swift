import Capture
import ServiceLifecycle

/// The service that runs the capture session.
///
/// On shutdown the service finishes the pictures in flight and releases the camera.
///
/// The service fails when only a new process can use the camera again. The supervisor then restarts
/// it.
struct SessionService: Service {
  let session: CaptureSession
  let monitor: RigMonitor

  func run() async throws {
    // Events that the monitor loses are missing from the shown states, and newer ones follow. A
    // listener that must not miss events, such as the ledger and the API, listens to the session
    // itself.
    let events = session.events.listen(limit: 1024)
    await monitor.readReadiness { [session] in session.readiness }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await monitor.follow(events) }
      group.addTask { try await cancelWhenGracefulShutdown { try await session.run() } }
      try await group.waitForAll()
    }
  }
}
