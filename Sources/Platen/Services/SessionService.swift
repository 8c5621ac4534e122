import Capture
import ServiceLifecycle

/// Runs the capture session; its shutdown finishes the pictures in flight and releases the camera.
struct SessionService: Service {
  let session: CaptureSession
  let monitor: RigMonitor

  func run() async throws {
    let events = session.events.listen(limit: 1024)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await monitor.follow(events) }
      group.addTask { await cancelWhenGracefulShutdown { await session.run() } }
    }
  }
}
