package import Devices

/// The lamp of a simulated world, with its history in ``SimulatedWorld/lampHistory``.
///
/// ``SimulatedWorld/setLampPower(_:)`` says how bright the lamps are; at first they change no
/// picture. The page is lit while any lamp is.
package struct SimulatedLamp: Lamp {
  /// The lamp's name.
  package let name: String
  private let world: SimulatedWorld

  package init(world: SimulatedWorld, name: String = "rig:lamp") {
    self.world = world
    self.name = name
  }

  /// Switches the lamp.
  ///
  /// - Throws: `DeviceError` for the world's ``LampFault``.
  package func turn(on isOn: Bool) async throws(DeviceError) {
    switch world.read({ $0.lampFault }) {
    case .staysLit where !isOn:
      throw DeviceError(
        .inputOutput, device: name, problem: "cannot be turned off", cause: "Input/output error")
    case nil, .staysLit: world.switchLamp(name, on: isOn)
    case .absent:
      throw DeviceError(.absent, device: name, problem: "cannot be lit", cause: "No such device")
    case .inputOutput:
      throw DeviceError(
        .inputOutput, device: name, problem: "cannot be lit", cause: "Input/output error")
    }
  }

  /// Turns the lamp off.
  package func release() async {
    world.switchLamp(name, on: false)
  }
}
