/// How hot the rig is, in AVFoundation's and Foundation's words (`ProcessInfo.ThermalState`).
public enum ThermalState: Int, Sendable, Hashable, Codable, Comparable, CaseIterable {
  /// Within normal limits.
  case nominal
  /// Slightly elevated; nothing is taken away.
  case fair
  /// High: the frame rate is lowered, and what can wait is postponed.
  case serious
  /// Too high: there is no preview and no upload, and presses are spaced or refused until it cools.
  case critical

  /// The state's name as it appears in logs and in the API.
  public var name: String {
    switch self {
    case .nominal: "nominal"
    case .fair: "fair"
    case .serious: "serious"
    case .critical: "critical"
    }
  }

  /// Compares two states; the cooler is the smaller.
  public static func < (cooler: ThermalState, hotter: ThermalState) -> Bool {
    cooler.rawValue < hotter.rawValue
  }
}
