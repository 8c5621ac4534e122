package import Devices

/// The pattern of a simulated light, and its times.
package struct IndicatorState: Sendable, Hashable {
  /// The pattern.
  package var pattern: IndicatorPattern
  /// The time at which the pattern started with its first step.
  package var since: MonotonicInstant
  /// The time at which the pattern ends by itself; `nil` for never.
  package var until: MonotonicInstant?

  /// Whether the light is dark because the pattern's lifetime has ended.
  package func hasEnded(at instant: MonotonicInstant) -> Bool {
    until.map { $0 <= instant } ?? false
  }

  /// Returns the brightness at an instant, 0...1; before ``since``, the first step's.
  package func level(at instant: MonotonicInstant) -> Double {
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
