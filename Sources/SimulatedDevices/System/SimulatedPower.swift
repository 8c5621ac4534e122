public import Devices

/// The power of a simulated world: what is asked of it is written down.
public struct SimulatedPower: SystemPower {
  /// What can be asked.
  public enum Request: String, Sendable, Hashable {
    /// To switch the machine off.
    case powerOff
    /// To start it anew.
    case restart
  }

  private let world: SimulatedWorld

  /// Makes the power of a world.
  public init(world: SimulatedWorld) {
    self.world = world
  }

  /// Writes down that the machine would be off.
  ///
  /// - Throws: `DeviceError`, code `permissionDenied`, while the world says that the service may not.
  public func powerOff() async throws(DeviceError) { try take(.powerOff) }

  /// Writes down that the machine would start anew.
  ///
  /// - Throws: `DeviceError` as ``powerOff()``.
  public func restart() async throws(DeviceError) { try take(.restart) }

  /// Asks the world.
  ///
  /// - Throws: `DeviceError` as ``powerOff()``.
  public func checkPowerOff() async throws(DeviceError) { try check() }

  /// Asks the world.
  ///
  /// - Throws: `DeviceError` as ``powerOff()``.
  public func checkRestart() async throws(DeviceError) { try check() }

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
