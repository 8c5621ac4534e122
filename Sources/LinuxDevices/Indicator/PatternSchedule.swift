import Devices

/// The ends of a pattern's steps, so that flashes keep their times and can be counted.
///
/// A small delay does not move the following steps. A step delayed by more than half of its length
/// moves them, because a skipped flash would change the meaning.
struct PatternSchedule: Sendable, Hashable {
  private let steps: [IndicatorPattern.Step]
  private var next = 0
  private var nextStart: MonotonicInstant

  /// Makes the schedule of a pattern that begins at an instant.
  init(_ pattern: IndicatorPattern, start: MonotonicInstant) {
    // A step takes at least a millisecond, so that time always advances.
    steps = pattern.steps.map { step in
      IndicatorPattern.Step(level: step.level, duration: max(step.duration, .milliseconds(1)))
    }
    nextStart = start
  }

  /// Begins the next step and returns its level and its end; no end for a steady light.
  ///
  /// - Parameter now: the present instant, ideally the end of the previous step.
  mutating func begin(at now: MonotonicInstant) -> (level: Double, until: MonotonicInstant?) {
    let step = steps[next]
    guard steps.count > 1 else { return (step.level, nil) }
    next = (next + 1) % steps.count
    let isVeryLate = nextStart.duration(to: now) > step.duration / 2
    nextStart = (isVeryLate ? now : nextStart).advanced(by: step.duration)
    return (step.level, nextStart)
  }
}
