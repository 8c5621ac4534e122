import Devices

/// A program of the kernel's LED class that shows a pattern.
///
/// The kernel blinks while the service sleeps, which saves wake-ups and keeps the pace under load.
/// The pattern determines the program:
///
/// | pattern | kernel |
/// | --- | --- |
/// | steady | `brightness`, no trigger |
/// | lit and dark in turn | trigger `timer` with `delay_on` and `delay_off` |
/// | others | trigger `pattern` with `repeat` (−1: forever) and `pattern` |
/// | with a lifetime | trigger `pattern` with `repeat` and `pattern`; it ends dark |
///
/// The kernel takes up to 1024 pairs and 4095 characters; the longest blink code, 9-9, has 72 pairs
/// and some 600 characters.
enum ClassLEDProgram: Sendable, Hashable {
  /// A steady brightness, 0 to the light's maximum.
  case steady(Int)
  /// A light with this brightness and dark in turn; times in milliseconds, 1 or more.
  case timer(brightness: Int, on: Int, off: Int)
  /// The text for the trigger `pattern`: pairs of brightness and milliseconds.
  case pattern(String)
  /// The same text for a number of repetitions, after which the light stays dark.
  case limited(String, repetitions: Int)

  /// Chooses the program for a pattern on a light with a maximum of brightness, 1 or more.
  ///
  /// - Parameter lifetime: the time to show the pattern, rounded up to whole repetitions; `nil` for
  ///   no limit.
  init(_ pattern: IndicatorPattern, maximum: Int, lifetime: Duration? = nil) {
    let steps = pattern.steps.map { step in
      (brightness: Self.brightness(step.level, maximum: maximum), time: Self.milliseconds(step))
    }
    let first = steps.first?.brightness ?? 0
    let isSteady = steps.allSatisfy { $0.brightness == first }
    if isSteady, first == 0 {
      self = .steady(0)
    } else if let lifetime {
      let total = steps.reduce(0) { $0 + $1.time }
      let milliseconds = max(1, Int(lifetime.inMilliseconds.rounded(.up)))
      let lit = isSteady ? [(brightness: first, time: milliseconds)] : steps
      // The last pair determines the final state of the light.
      let end = lit.last?.brightness == 0 ? [] : [(brightness: 0, time: 1)]
      self = .limited(
        Self.text(lit + end), repetitions: isSteady ? 1 : (milliseconds + total - 1) / total)
    } else if isSteady {
      self = .steady(first)
    } else if steps.count == 2, steps[1].brightness == 0 {
      self = .timer(brightness: steps[0].brightness, on: steps[0].time, off: steps[1].time)
    } else if steps.count == 2, steps[0].brightness == 0 {
      self = .timer(brightness: steps[1].brightness, on: steps[1].time, off: steps[0].time)
    } else {
      self = .pattern(Self.text(steps))
    }
  }

  /// Returns the steps as pairs of brightness and milliseconds.
  ///
  /// The trigger fades from one pair to the next over the pair's time. A pair with the same
  /// brightness and no time after each makes the edges square (leds-trigger-pattern.txt).
  private static func text(_ steps: [(brightness: Int, time: Int)]) -> String {
    steps.map { "\($0.brightness) \($0.time) \($0.brightness) 0" }.joined(separator: " ")
  }

  /// The name of the trigger that runs the program; `none` for a steady light.
  var trigger: String {
    switch self {
    case .steady: "none"
    case .timer: "timer"
    case .pattern, .limited: "pattern"
    }
  }

  /// The brightness to write before the trigger is selected.
  ///
  /// The trigger `timer` blinks with the current brightness, and with the maximum when that is 0.
  var brightnessBeforeTrigger: Int {
    switch self {
    case .steady(let brightness), .timer(let brightness, _, _): brightness
    case .pattern, .limited: 0
    }
  }

  /// The attributes that exist only once the trigger is selected, in the order of writing.
  var triggerAttributes: [(name: String, value: String)] {
    switch self {
    case .steady: []
    case .timer(_, let on, let off): [("delay_on", "\(on)"), ("delay_off", "\(off)")]
    case .pattern(let text): [("repeat", "-1"), ("pattern", text)]
    // Writing `repeat` afterwards restarts the pattern, as in a refresh.
    case .limited(let text, let repetitions):
      [("repeat", "\(repetitions)"), ("pattern", text)]
    }
  }

  /// The attribute that restarts a running program; `nil` for a program without an end.
  ///
  /// The trigger counts its repetitions down; only `repeat` sets the count again, and it starts the
  /// pattern from its first step.
  var refresh: (name: String, value: String)? {
    guard case .limited(_, let repetitions) = self else { return nil }
    return ("repeat", "\(repetitions)")
  }

  /// Returns the kernel's number for a level 0...1: never 0 for a level above 0.
  static func brightness(_ level: Double, maximum: Int) -> Int {
    guard level > 0 else { return 0 }
    return max(1, Int((min(level, 1) * Double(maximum)).rounded()))
  }

  private static func milliseconds(_ step: IndicatorPattern.Step) -> Int {
    max(1, Int(step.duration.inMilliseconds.rounded()))
  }
}
