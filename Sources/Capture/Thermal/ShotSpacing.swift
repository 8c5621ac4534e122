public import Devices

/// Keeps presses apart while the rig is too hot for more.
///
/// The time counts from the last press that was taken, also when that was before the spacing began.
public struct ShotSpacing: Sendable {
  /// The time between two presses; `nil` for none.
  public var spacing: Duration?
  private var lastTaken: MonotonicInstant?

  /// Makes a spacing that keeps nothing apart.
  public init() {}

  /// A press has been taken.
  public mutating func take(at time: MonotonicInstant) {
    lastTaken = max(time, lastTaken ?? time)
  }

  /// When the next press may be taken; `nil` when that is now.
  public func opening(at now: MonotonicInstant) -> MonotonicInstant? {
    guard let spacing, let lastTaken else { return nil }
    let opening = lastTaken.advanced(by: spacing)
    return opening > now ? opening : nil
  }
}
