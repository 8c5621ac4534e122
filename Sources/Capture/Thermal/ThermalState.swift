/// The rig's thermal state, in the words of Foundation's `ProcessInfo.ThermalState`.
package enum ThermalState: Int, Sendable, Hashable, Codable, Comparable, CaseIterable {
  /// Within normal limits.
  case nominal
  /// Slightly elevated, without limits.
  case fair
  /// High: the frame rate is lowered, and deferrable work is postponed.
  case serious
  /// Too high: there is no preview and no upload, and presses are spaced or refused until it cools.
  case critical

  /// The state's name as it appears in logs and in the API.
  package var name: String {
    switch self {
    case .nominal: "nominal"
    case .fair: "fair"
    case .serious: "serious"
    case .critical: "critical"
    }
  }

  /// Returns whether the first of two states is the cooler.
  package static func < (cooler: ThermalState, hotter: ThermalState) -> Bool {
    cooler.rawValue < hotter.rawValue
  }
}
