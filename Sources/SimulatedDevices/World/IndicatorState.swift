public import Devices

/// What a simulated light has been told to show, and since when.
public struct IndicatorState: Sendable, Hashable {
  /// The pattern.
  public var pattern: IndicatorPattern
  /// When the pattern began with its first step.
  public var since: MonotonicInstant
  /// When it ends by itself; `nil` for never.
  public var until: MonotonicInstant?

  /// Makes a state.
  public init(
    pattern: IndicatorPattern, since: MonotonicInstant, until: MonotonicInstant? = nil
  ) {
    self.pattern = pattern
    self.since = since
    self.until = until
  }

  /// Whether the light is dark because nobody has shown the pattern again in time.
  public func hasEnded(at instant: MonotonicInstant) -> Bool {
    until.map { $0 <= instant } ?? false
  }

  /// The brightness at an instant, 0...1; that of the first step for instants before ``since``.
  public func level(at instant: MonotonicInstant) -> Double {
    if hasEnded(at: instant) { return 0 }
    let steps = pattern.steps
    let period = steps.reduce(Int64(0)) { $0 + max(0, $1.duration.wholeNanoseconds) }
    guard steps.count > 1, period > 0 else { return steps.first?.level ?? 0 }
    var rest = max(0, since.duration(to: instant).wholeNanoseconds) % period
    for step in steps {
      rest -= max(0, step.duration.wholeNanoseconds)
      if rest < 0 { return step.level }
    }
    return steps[steps.count - 1].level
  }
}
