/// The rig's thermal state, in the words of Foundation's `ProcessInfo.ThermalState`.
package enum ThermalState: String, Sendable, Hashable, Codable, Comparable, CaseIterable {
  /// Within normal limits.
  case nominal
  /// Slightly elevated, without limits.
  case fair
  /// High: the frame rate is lowered, and deferrable work is postponed.
  case serious
  /// Too high: there is no preview and no upload, and presses are spaced or refused until it cools.
  case critical

  /// The place among the states, 0 for the coolest.
  private var rank: Int {
    switch self {
    case .nominal: 0
    case .fair: 1
    case .serious: 2
    case .critical: 3
    }
  }

  /// Returns whether the first of two states is the cooler.
  package static func < (cooler: ThermalState, hotter: ThermalState) -> Bool {
    cooler.rank < hotter.rank
  }
}
