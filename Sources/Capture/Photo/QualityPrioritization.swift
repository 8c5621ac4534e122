/// What counts more when a picture is made (`AVCapturePhotoOutput.QualityPrioritization`).
public enum QualityPrioritization: String, Sendable, Hashable, Codable, Comparable, CaseIterable {
  /// The next press as soon as possible: the least noise reduction, a smaller file.
  case speed
  /// Between the two.
  case balanced
  /// The best picture that the camera offers.
  case quality

  /// Compares two; the faster is the smaller.
  public static func < (faster: QualityPrioritization, better: QualityPrioritization) -> Bool {
    let order = allCases
    return (order.firstIndex(of: faster) ?? 0) < (order.firstIndex(of: better) ?? 0)
  }
}

/// Lowers quality before presses have to be refused (`isFastCapturePrioritizationEnabled`).
///
/// While few captures are in flight a press gets the quality that is set. When half of the places
/// besides its own are taken it gets one step less, when all of them are taken it gets
/// ``QualityPrioritization/speed``.
/// The way back is one step at a time, after as many captures in a row as ``captureCountToRise``
/// that found enough room, so that quality does not change with every page.
public struct FastCapturePrioritizer: Sendable, Hashable {
  /// How many captures may be in flight, 1 or more.
  public var maximumCapturesInFlight: Int
  /// How many captures in a row must find room before quality rises by a step.
  public let captureCountToRise: Int
  /// Whether quality may be lowered at all.
  public var isEnabled: Bool
  private var reduction = 0
  private var calmCaptures = 0

  /// Makes a prioritizer that has lowered nothing.
  public init(
    maximumCapturesInFlight: Int, isEnabled: Bool = true, captureCountToRise: Int = 3
  ) {
    self.maximumCapturesInFlight = max(1, maximumCapturesInFlight)
    self.isEnabled = isEnabled
    self.captureCountToRise = max(1, captureCountToRise)
  }

  /// Decides for a press that has been admitted.
  ///
  /// - Parameters:
  ///   - wanted: the quality that is set.
  ///   - capturesInFlight: how many captures were in flight before it, 0 or more.
  /// - Returns: the quality for this capture, never better than `wanted`.
  public mutating func resolve(
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
      if calmCaptures >= captureCountToRise {
        reduction -= 1
        calmCaptures = 0
      }
    }
    let steps = QualityPrioritization.allCases
    let index = (steps.firstIndex(of: wanted) ?? 0) - reduction
    return steps[max(0, index)]
  }
}
