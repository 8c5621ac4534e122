package import Devices

/// The throttle flags of a simulated world's firmware.
package struct SimulatedThrottleSensor: ThrottleSensor {
  /// The sensor's name: `firmware`.
  package let name = "firmware"
  private let world: SimulatedWorld

  package init(world: SimulatedWorld) {
    self.world = world
  }

  /// Reads the flags.
  ///
  /// - Throws: `DeviceError` for the world's ``ThrottleFault``.
  package func status() async throws(DeviceError) -> ThrottleStatus {
    let (fault, status) = world.read { ($0.throttleFault, $0.throttle) }
    switch fault {
    case nil: return status
    case .absent:
      throw DeviceError(.absent, device: name, problem: "has no throttle flags")
    case .inputOutput:
      throw DeviceError(
        .inputOutput, device: name, problem: "cannot be read", cause: "Input/output error")
    }
  }
}
