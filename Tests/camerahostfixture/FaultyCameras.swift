import Devices
import Foundation
import SimulatedDevices

/// The simulated camera with one failing call.
///
/// The calls are `cameras`, `open`, `resolve`, `start`, `lease`, `setFrameRate`, `stop`, `close` and
/// `shutDown`; the faults:
///
/// | fault | effect of the call |
/// |---|---|
/// | `hang` | never returns |
/// | `block` | never returns, and keeps its thread |
/// | `abort`, `crash` | ends the process by SIGABRT, by SIGSEGV |
/// | `exit` | ends the process with status 3 |
/// | `used`, `gone` | throws `needsNewProcess`, because it hangs, because it went away |
final class FaultyCameras: CameraSystem {
  private let cameras = SimulatedCameraSystem(world: SimulatedWorld())
  fileprivate let call: String
  private let fault: String

  init(call: String, fault: String) {
    self.call = call
    self.fault = fault
  }

  fileprivate func enter(_ entered: String, device: String = "cameras") async throws(DeviceError) {
    guard entered == call else { return }
    switch fault {
    case "hang": while true { try? await Task.sleep(for: .seconds(3600)) }
    case "block": while true { pause() }
    case "abort": abort()
    case "crash":
      // A sanitizer would take the signal for itself.
      signal(SIGSEGV, SIG_DFL)
      kill(getpid(), SIGSEGV)
      while true { pause() }
    case "exit": exit(3)
    case "used", "gone":
      throw DeviceError(
        .needsNewProcess, device: device, problem: "cannot be used", cause: "it was lost",
        underlyingCode: fault == "gone" ? .disconnected : .timedOut)
    default: exit(64)
    }
  }

  func cameras() async throws(DeviceError) -> [CameraDescription] {
    try await enter("cameras")
    return try await cameras.cameras()
  }

  func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    try await enter("open", device: id)
    return FaultyCamera(camera: try await cameras.open(id), system: self)
  }

  func shutDown() async {
    try? await enter("shutDown")
    await cameras.shutDown()
  }

  func restart() async { await cameras.restart() }
}

/// A camera of ``FaultyCameras``.
private final class FaultyCamera: Camera {
  private let camera: any Camera
  private let system: FaultyCameras

  init(camera: any Camera, system: FaultyCameras) {
    self.camera = camera
    self.system = system
  }

  var identity: CameraDescription { camera.identity }

  func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    try await system.enter("resolve", device: identity.id)
    return try await camera.resolve(configuration)
  }

  func start(_ configuration: StreamConfiguration) async throws(DeviceError) -> CameraStream {
    try await system.enter("start", device: identity.id)
    return try await camera.start(configuration)
  }

  func lease(_ id: UInt64) async -> FrameLease? {
    try? await system.enter("lease")
    return await camera.lease(id)
  }

  func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
    try await system.enter("setFrameRate", device: identity.id)
    return try await camera.setFrameRate(frameRate)
  }

  var capabilities: CameraCapabilities {
    get async { await camera.capabilities }
  }

  func setControls(_ controls: CameraControls) async throws(DeviceError) {
    try await camera.setControls(controls)
  }

  func stop() async {
    try? await system.enter("stop")
    await camera.stop()
  }

  func close() async {
    try? await system.enter("close")
    await camera.close()
  }
}
