package import Devices

/// The signal of a warning about the picture just taken: a long flash, then short ones to count.
///
/// No code of a fault has a long flash.
extension PageWarning {
  /// The long flash, and the dark time after it.
  package static let longFlash = (lit: Duration.milliseconds(800), dark: Duration.milliseconds(400))
  /// The time for which the lights show a warning, unless the next press is taken before.
  package static let signalTime = Duration.seconds(10)

  /// The number of short flashes, 1 to 9: the warning's place among all.
  package var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  /// The signal in flashes of a dark light.
  package var pattern: IndicatorPattern {
    IndicatorPattern(
      steps: [
        IndicatorPattern.Step(level: 1, duration: Self.longFlash.lit),
        IndicatorPattern.Step(level: 0, duration: Self.longFlash.dark),
      ] + BlinkCode.flashes(number, then: BlinkCode.betweenCodes))
  }

  /// The signal in dark moments of a lit light, which says that captures go on.
  package var inversePattern: IndicatorPattern { pattern.inverse }

  /// The meaning of the signal.
  var signalMeaning: String { "the picture just taken: \(facts.meaning)" }

  /// The signal in words, for a dark light.
  var shownFlashes: String { "one long flash and \(number) short" }

  /// The signal in words, for a lit light.
  var shownMoments: String { "one long dark moment and \(number) short of a lit light" }
}
