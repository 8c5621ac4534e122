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

  func run() async throws {
    try await cancelWhenGracefulShutdown { try await session.run() }
  }
}
