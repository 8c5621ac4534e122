public import Devices

/// The firmware of a simulated world.
public struct SimulatedThrottleSensor: ThrottleSensor {
  /// The sensor's name: `firmware`.
  public let name = "firmware"
  private let world: SimulatedWorld

  /// Makes the firmware of a world.
  public init(world: SimulatedWorld) {
    self.world = world
  }

  /// Reads the flags.
  ///
  /// - Throws: `DeviceError` as the world's `ThrottleFault` has it.
  public func status() async throws(DeviceError) -> ThrottleStatus {
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
