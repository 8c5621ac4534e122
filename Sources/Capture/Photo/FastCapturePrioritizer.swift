package import Devices

/// Lowers quality before presses have to be refused (`isFastCapturePrioritizationEnabled`).
///
/// While few captures are in flight, a press gets the quality that is set. When half of the places
/// besides its own are taken, the press gets one step less. When all of them are taken, the press
/// gets ``QualityPrioritization/speed``.
///
/// Quality rises again one step at a time. Each step needs ``captureCountToRise`` captures in a row
/// that found enough room, so that quality does not change with every page.
package struct FastCapturePrioritizer: Sendable, Hashable {
  /// The maximum number of captures in flight, 1 or more.
  package var maximumCapturesInFlight: Int
  /// The number of captures in a row that must find room before quality rises by a step.
  static let captureCountToRise = 3
  /// Whether quality may be lowered at all.
  package var isEnabled: Bool
  private var reduction = 0
  private var calmCaptures = 0

  /// Makes a prioritizer that has lowered nothing.
  package init(maximumCapturesInFlight: Int, isEnabled: Bool = true) {
    self.maximumCapturesInFlight = max(1, maximumCapturesInFlight)
    self.isEnabled = isEnabled
  }

  /// Decides for a press that has been admitted.
  ///
  /// - Parameters:
  ///   - wanted: the quality that is set.
  ///   - capturesInFlight: the number of captures already in flight, 0 or more.
  /// - Returns: the quality for this capture, never better than `wanted`.
  package mutating func resolve(
    _ wanted: QualityPrioritization, capturesInFlight: Int
  ) -> QualityPrioritization {
    guard isEnabled else { return wanted }
    let needed: Int
    let others = maximumCapturesInFlight - 1
    if others > 0, capturesInFlight >= others {
      needed = 2
    } else if capturesInFlight > 0, capturesInFlight * 2 >= others {
      needed = 1
    } else {
      needed = 0
    }
    if needed >= reduction {
      reduction = needed
      calmCaptures = 0
    } else {
      calmCaptures += 1
      if calmCaptures >= Self.captureCountToRise {
        reduction -= 1
        calmCaptures = 0
      }
    }
    let steps = QualityPrioritization.allCases
    let index = (steps.firstIndex(of: wanted) ?? 0) - reduction
    return steps[max(0, index)]
  }
}
