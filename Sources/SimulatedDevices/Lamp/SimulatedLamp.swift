public import Devices

/// The lamp of a simulated world; ``SimulatedWorld/lampHistory`` has what it did.
///
/// It does not change what the cameras see: the world's light is said by
/// ``SimulatedWorld/expose(for:gain:)`` alone.
public struct SimulatedLamp: Lamp {
  /// The lamp's name.
  public let name = "rig:lamp"
  private let world: SimulatedWorld

  /// Makes the lamp of a world.
  public init(world: SimulatedWorld) {
    self.world = world
  }

  /// Switches the lamp.
  ///
  /// - Throws: `DeviceError` as the world's `LampFault` has it.
  public func turn(on isOn: Bool) async throws(DeviceError) {
    switch world.read({ $0.lampFault }) {
    case nil: world.switchLamp(on: isOn)
    case .absent:
      throw DeviceError(.absent, device: name, problem: "cannot be lit", cause: "No such device")
    case .inputOutput:
      throw DeviceError(
        .inputOutput, device: name, problem: "cannot be lit", cause: "Input/output error")
    }
  }

  /// Turns the lamp off.
  public func release() async {
    world.switchLamp(on: false)
  }
}
