import Capture

@testable import Platen

extension RigMonitor.Heat {
  /// The heat of a rig that does without what the default policy takes away in a state.
  static func `in`(_ state: ThermalState) -> RigMonitor.Heat {
    RigMonitor.Heat(state: state, constraints: ThermalPolicy().constraints(in: state))
  }
}
