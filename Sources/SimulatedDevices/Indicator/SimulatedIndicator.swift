public import Devices

/// A light of a simulated world; what it shows is read from ``SimulatedWorld/indicatorStates``.
public struct SimulatedIndicator: Indicator {
  /// The light's name, for example `rig:ready`.
  public let name: String
  private let world: SimulatedWorld
  private let role: IndicatorRole

  /// Makes the light that a world has for a role.
  public init(world: SimulatedWorld, role: IndicatorRole) {
    self.world = world
    self.role = role
    name = "rig:\(role.rawValue)"
  }

  /// Shows a pattern until the next call, or for a lifetime.
  ///
  /// Showing the same again does not begin it anew, but lengthens its life.
  ///
  /// - Throws: `DeviceError` as the world's `IndicatorFault` has it.
  public func show(
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
  public func release() async {
    world.show(.off, for: nil, on: role)
  }
}
