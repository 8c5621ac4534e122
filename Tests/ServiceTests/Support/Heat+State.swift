import Capture
import Devices

@testable import Service

extension RigMonitor.Heat {
  /// Returns the heat of a rig with the constraints of the default policy in a state.
  static func `in`(_ state: ThermalState) -> RigMonitor.Heat {
    RigMonitor.Heat(state: state, constraints: ThermalPolicy().constraints(in: state))
  }
}
