/// How hot the rig is, in AVFoundation's and Foundation's words (`ProcessInfo.ThermalState`).
public enum ThermalState: Int, Sendable, Hashable, Codable, Comparable, CaseIterable {
  /// Within normal limits.
  case nominal
  /// Slightly elevated; nothing is taken away.
  case fair
  /// High: the frame rate is lowered.
  case serious
  /// Too high: presses are refused until it cools.
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

/// Turns temperatures into a thermal state, with hysteresis.
///
/// The hottest sensor counts. A state is entered as soon as its limit is reached and left only
/// when the temperature has fallen below the limit by the hysteresis. A sensor that cannot be read
/// is left out; when none can be read the last state stays, so that a dead sensor neither cools a
/// hot rig nor stops a cool one.
public struct ThermalGovernor: Sendable {
  /// The temperatures, in degrees Celsius, at which the states begin.
  public struct Limits: Sendable, Hashable {
    /// From here on ``ThermalState/fair``.
    public var fair: Double
    /// From here on ``ThermalState/serious``.
    public var serious: Double
    /// From here on ``ThermalState/critical``.
    public var critical: Double
    /// How far the temperature must fall below a limit, in kelvins, above 0.
    public var hysteresis: Double

    /// Makes limits in degrees Celsius; they must ascend.
    public init(fair: Double, serious: Double, critical: Double, hysteresis: Double) {
      self.fair = fair
      self.serious = serious
      self.critical = critical
      self.hysteresis = hysteresis
    }

    func limit(of state: ThermalState) -> Double {
      switch state {
      case .nominal: -.infinity
      case .fair: fair
      case .serious: serious
      case .critical: critical
      }
    }
  }

  /// The limits.
  public let limits: Limits
  /// The state now.
  public private(set) var state = ThermalState.nominal

  /// Makes a governor of a rig that is cool.
  public init(limits: Limits) {
    self.limits = limits
  }

  /// Takes the readings of all sensors that could be read, in degrees Celsius.
  ///
  /// - Returns: the new state, if it changed.
  public mutating func update(_ temperatures: [Double]) -> ThermalState? {
    guard let hottest = temperatures.filter(\.isFinite).max() else { return nil }
    let next =
      ThermalState.allCases.last { candidate in
        let margin = candidate <= state ? limits.hysteresis : 0
        return hottest >= limits.limit(of: candidate) - margin
      } ?? .nominal
    guard next != state else { return nil }
    state = next
    return next
  }
}
