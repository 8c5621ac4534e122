package import Devices
import Synchronization

/// The cameras of a simulated world.
package final class SimulatedCameraSystem: CameraSystem {
  private let world: SimulatedWorld
  private let claims = CameraClaims()
  private let restarts = Mutex(0)

  package init(world: SimulatedWorld) {
    self.world = world
  }

  /// Lists the cameras that are plugged in, in the order of their IDs.
  ///
  /// - Throws: `DeviceError`, code `permissionDenied`, when the fault affects all cameras.
  package func cameras() async throws(DeviceError) -> [CameraDescription] {
    let faults = world.read { $0.cameraFaults }
    let present = world.cameraModels.filter { faults[$0.id]?.contains(.absent) != true }
    let open = present.filter { faults[$0.id]?.contains(.permissionDenied) != true }
    if let denied = present.first, open.isEmpty { throw permissionDenied(denied.id) }
    return open.map(\.description)
  }

  /// Opens a camera for this system alone.
  ///
  /// - Throws: `DeviceError`: `absent`, `busy` or `permissionDenied`.
  package func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    let faults = world.cameraFaults(id)
    guard let model = world.cameraModels.first(where: { $0.id == id }), !faults.contains(.absent)
    else {
      throw DeviceError(.absent, device: id, problem: "cannot be opened", cause: "No such camera")
    }
    if faults.contains(.permissionDenied) { throw permissionDenied(id) }
    guard !faults.contains(.busy), let claim = claims.claim(id) else {
      world.note(.busy)
      throw DeviceError(
        .busy, device: id, problem: "cannot be opened", cause: "Device or resource busy")
    }
    return SimulatedCamera(model: model, world: world, claim: claim)
  }

  /// Does nothing, because simulated cameras share nothing.
  package func shutDown() async {}

  /// Counts the call; simulated cameras share nothing that could be discarded.
  package func restart() async {
    restarts.withLock { $0 += 1 }
  }

  /// The number of calls of ``restart()``.
  package var restartCount: Int { restarts.withLock { $0 } }

  private func permissionDenied(_ id: CameraDescription.ID) -> DeviceError {
    world.note(.permissionDenied)
    return DeviceError(
      .permissionDenied, device: id, problem: "cannot be opened", cause: "Permission denied")
  }
}

/// The claims on the cameras of a system.
final class CameraClaims: Sendable {
  private let claimed = Mutex<Set<CameraDescription.ID>>([])

  /// Claims a camera; `nil` when the camera is claimed already.
  func claim(_ id: CameraDescription.ID) -> CameraClaim? {
    claimed.withLock { $0.insert(id).inserted } ? CameraClaim(id: id, claims: self) : nil
  }

  fileprivate func giveUp(_ id: CameraDescription.ID) {
    claimed.withLock { _ = $0.remove(id) }
  }
}

/// The right to use a camera, which ends with this object.
final class CameraClaim: Sendable {
  private let id: CameraDescription.ID
  private let claims: CameraClaims

  fileprivate init(id: CameraDescription.ID, claims: CameraClaims) {
    self.id = id
    self.claims = claims
  }

  deinit { claims.giveUp(id) }
}
