import Capture
import ServiceLifecycle

/// Runs the capture session; its shutdown finishes the pictures in flight and releases the camera.
///
/// It fails when only a new process can use the camera again: the service then ends, and the
/// supervisor starts it anew.
struct SessionService: Service {
  let session: CaptureSession
  let monitor: RigMonitor

  func run() async throws {
    // What the monitor is too slow for is missing where states are shown, and newer ones follow.
    // Whoever may miss nothing unseen, as the ledger and the API, listens to the session itself.
    let events = session.events.listen(limit: 1024)
    await monitor.readReadiness { [session] in session.readiness }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await monitor.follow(events) }
      group.addTask { try await cancelWhenGracefulShutdown { try await session.run() } }
      try await group.waitForAll()
    }
  }
}
