/// Two digits that a light flashes, so that they can be counted and told over the phone.
///
/// The code `2-3` is two flashes, a pause, three flashes, and a long pause.
package struct BlinkCode: Sendable, Hashable, CustomStringConvertible {
  /// The time that a flash is lit, and the dark time between two flashes of a digit.
  package static let flash = (lit: Duration.milliseconds(200), dark: Duration.milliseconds(300))
  /// The pause between the digits.
  package static let betweenDigits = Duration.milliseconds(1000)
  /// The pause before the code repeats.
  package static let betweenCodes = Duration.milliseconds(2000)

  /// The fault's group, 1 to 7.
  package let group: Int
  /// The fault's number in its group, 1 to 6.
  package let number: Int

  /// Makes a code of two digits, 1 to 9 each.
  package init(_ group: Int, _ number: Int) {
    self.group = min(max(1, group), 9)
    self.number = min(max(1, number), 9)
  }

  /// The written digits, for example `2-3`.
  package var description: String { "\(group)-\(number)" }

  /// The code in flashes of a dark light.
  package var pattern: IndicatorPattern {
    IndicatorPattern(
      steps: Self.flashes(group, then: Self.betweenDigits)
        + Self.flashes(number, then: Self.betweenCodes))
  }

  /// The code in dark moments of a lit light, which says that captures go on.
  package var inversePattern: IndicatorPattern { pattern.inverse }

  /// Returns the steps of countable flashes and a pause.
  package static func flashes(_ count: Int, then pause: Duration) -> [IndicatorPattern.Step] {
    var steps = (0..<max(1, count)).flatMap { _ in
      [
        IndicatorPattern.Step(level: 1, duration: flash.lit),
        IndicatorPattern.Step(level: 0, duration: flash.dark),
      ]
    }
    steps[steps.count - 1].duration = pause
    return steps
  }
}

extension IndicatorPattern {
  /// The pattern with lit and dark exchanged, for a pattern that ends with a long pause.
  ///
  /// The pattern begins and ends in the middle of the pause. A light with a heartbeat is restarted
  /// once a period. The kernel is late by then, by up to a tick (10 ms at 100 Hz) for each step and
  /// each edge. A flash at the end would be cut off and change the code.
  package var inverse: IndicatorPattern {
    var inverse = steps.map { Step(level: 1 - $0.level, duration: $0.duration) }
    let half = Step(
      level: inverse[inverse.count - 1].level, duration: inverse[inverse.count - 1].duration / 2)
    inverse[inverse.count - 1] = half
    return IndicatorPattern(steps: [half] + inverse)
  }
}
