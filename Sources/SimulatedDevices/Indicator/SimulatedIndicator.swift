package import Devices

/// A light of a simulated world, with its state in ``SimulatedWorld/indicatorStates``.
package struct SimulatedIndicator: Indicator {
  /// The light's name, for example `rig:ready`.
  package let name: String
  private let world: SimulatedWorld
  private let role: IndicatorRole

  /// Makes the light of a world for a role.
  package init(world: SimulatedWorld, role: IndicatorRole) {
    self.world = world
    self.role = role
    name = "rig:\(role.rawValue)"
  }

  /// Shows a pattern until the next call, or for a lifetime.
  ///
  /// A repeated pattern is not restarted, but gets the new lifetime.
  ///
  /// - Throws: `DeviceError` for the world's ``IndicatorFault``.
  package func show(
    _ pattern: IndicatorPattern, for lifetime: Duration?
  ) async throws(DeviceError) {
    switch world.read({ $0.indicatorFaults[role] }) {
    case nil: world.show(pattern, for: lifetime, on: role)
    case .absent:
      throw DeviceError(.absent, device: name, problem: "cannot be lit", cause: "No such device")
    case .inputOutput:
      throw DeviceError(
        .inputOutput, device: name, problem: "cannot be lit", cause: "Input/output error")
    }
  }

  /// Turns the light off.
  package func release() async {
    world.show(.off, for: nil, on: role)
  }
}
