package import Devices

/// The power of a simulated world, which records the requests.
package struct SimulatedPower: SystemPower {
  /// The possible requests.
  package enum Request: String, Sendable, Hashable {
    /// A power-off of the machine.
    case powerOff
    /// A restart of the machine.
    case restart
  }

  private let world: SimulatedWorld

  package init(world: SimulatedWorld) {
    self.world = world
  }

  /// Records a request for a power-off.
  ///
  /// - Throws: `DeviceError`, code `permissionDenied`, while the world denies the power-off.
  package func powerOff() async throws(DeviceError) { try take(.powerOff) }

  /// Records a request for a restart.
  ///
  /// - Throws: `DeviceError` as ``powerOff()``.
  package func restart() async throws(DeviceError) { try take(.restart) }

  /// Checks that the world allows a power-off.
  ///
  /// - Throws: `DeviceError` as ``powerOff()``.
  package func checkPowerOff() async throws(DeviceError) { try check() }

  /// Checks that the world allows a restart.
  ///
  /// - Throws: `DeviceError` as ``powerOff()``.
  package func checkRestart() async throws(DeviceError) { try check() }

  private func check() throws(DeviceError) {
    if world.change({ $0.isPowerDenied }) { throw Self.denial }
  }

  private static let denial = DeviceError(
    .permissionDenied, device: "power", problem: "did not do what was asked",
    cause: "Access denied")

  private func take(_ request: Request) throws(DeviceError) {
    let isDenied = world.change { state in
      if !state.isPowerDenied { state.powerRequests.append(request) }
      return state.isPowerDenied
    }
    if isDenied { throw Self.denial }
  }
}
