import Devices

/// When each step of a pattern begins and ends, without drift however late it is asked.
struct PatternSchedule: Sendable, Hashable {
  private let steps: [IndicatorPattern.Step]
  private let cycle: Duration
  private var cycleStart: MonotonicInstant

  /// Makes the schedule of a pattern that begins at an instant.
  init(_ pattern: IndicatorPattern, start: MonotonicInstant) {
    // A step takes at least a millisecond, so that a cycle always moves on.
    steps = pattern.steps.map { step in
      IndicatorPattern.Step(level: step.level, duration: max(step.duration, .milliseconds(1)))
    }
    cycle = steps.reduce(.zero) { $0 + $1.duration }
    cycleStart = start
  }

  /// Returns the level that the light has at an instant and when that ends; `nil` for a steady light.
  ///
  /// Instants must not go backwards.
  mutating func step(at now: MonotonicInstant) -> (level: Double, until: MonotonicInstant?) {
    guard steps.count > 1 else { return (steps.first?.level ?? 0, nil) }
    let elapsed = cycleStart.duration(to: now).wholeNanoseconds
    let whole = cycle.wholeNanoseconds
    if elapsed >= whole {
      cycleStart = cycleStart.advanced(by: .nanoseconds(elapsed / whole * whole))
    }
    var end = cycleStart
    for step in steps {
      end = end.advanced(by: step.duration)
      if now < end { return (step.level, end) }
    }
    return (steps[steps.count - 1].level, end)
  }
}
