package import Devices

/// The lamp of a simulated world, with its history in ``SimulatedWorld/lampHistory``.
///
/// ``SimulatedWorld/setLampPower(_:)`` says how bright the lamp is; at first it changes no picture.
package struct SimulatedLamp: Lamp {
  /// The lamp's name.
  package let name = "rig:lamp"
  private let world: SimulatedWorld

  package init(world: SimulatedWorld) {
    self.world = world
  }

  /// Switches the lamp.
  ///
  /// - Throws: `DeviceError` for the world's ``LampFault``.
  package func turn(on isOn: Bool) async throws(DeviceError) {
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
  package func release() async {
    world.switchLamp(on: false)
  }
}
