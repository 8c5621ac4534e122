public import Devices

/// Two digits that a light flashes, so that they can be counted and told over the phone: `2-3` is
/// two flashes, a pause, three flashes, and a long pause.
public struct BlinkCode: Sendable, Hashable, CustomStringConvertible {
  /// How long a flash is lit, and how long it is dark between two of them.
  public static let flash = (lit: Duration.milliseconds(200), dark: Duration.milliseconds(300))
  /// The pause between the digits.
  public static let betweenDigits = Duration.milliseconds(1000)
  /// The pause before the code begins anew.
  public static let betweenCodes = Duration.milliseconds(2000)

  /// What the fault has to do with, 1 to 7.
  public let group: Int
  /// Which fault of the group it is, 1 to 6.
  public let number: Int

  /// Makes a code of two digits, 1 to 9 each.
  public init(_ group: Int, _ number: Int) {
    self.group = min(max(1, group), 9)
    self.number = min(max(1, number), 9)
  }

  /// The digits as people write them, for example `2-3`.
  public var description: String { "\(group)-\(number)" }

  /// The code in flashes of a dark light.
  public var pattern: IndicatorPattern { pattern(lit: 1) }

  /// The code in dark moments of a light that is lit: it says that captures go on.
  ///
  /// It begins and ends in the middle of the long pause. A light that vouches for the service is
  /// begun anew once a period, and the kernel is late by then, by up to a tick (10 ms at 100 Hz) for
  /// each step and each edge: a flash at the end would be cut off, and the code would be another one.
  public var inversePattern: IndicatorPattern {
    var steps = pattern(lit: 0).steps
    let half = IndicatorPattern.Step(level: 1, duration: Self.betweenCodes / 2)
    steps[steps.count - 1] = half
    return IndicatorPattern(steps: [half] + steps)
  }

  private func pattern(lit level: Double) -> IndicatorPattern {
    var steps: [IndicatorPattern.Step] = []
    for (digit, pause) in [(group, Self.betweenDigits), (number, Self.betweenCodes)] {
      for _ in 0..<digit {
        steps.append(.init(level: level, duration: Self.flash.lit))
        steps.append(.init(level: 1 - level, duration: Self.flash.dark))
      }
      steps[steps.count - 1].duration = pause
    }
    return IndicatorPattern(steps: steps)
  }
}
