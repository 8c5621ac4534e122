/// The repeated steps of a light until it gets another pattern.
package struct IndicatorPattern: Sendable, Hashable {
  /// A step of a pattern.
  package struct Step: Sendable, Hashable {
    /// The brightness from 0 (off) to 1 (full).
    package var level: Double
    /// The duration of the step, 1 ms or more; ignored when it is the only one.
    package var duration: Duration

    package init(level: Double, duration: Duration) {
      self.level = level
      self.duration = duration
    }
  }

  /// The steps, at least one; a single step is a steady light.
  package let steps: [Step]

  /// Makes a pattern from its steps; no step at all is ``off``.
  package init(steps: [Step]) {
    self.steps = steps.isEmpty ? IndicatorPattern.off.steps : steps
  }

  /// A dark light.
  package static let off = IndicatorPattern(steps: [Step(level: 0, duration: .zero)])
  /// A steadily lit light.
  package static let on = IndicatorPattern(steps: [Step(level: 1, duration: .zero)])

  /// Returns a pattern of lit and dark in turn.
  package static func blink(on lit: Duration, off dark: Duration) -> IndicatorPattern {
    IndicatorPattern(steps: [Step(level: 1, duration: lit), Step(level: 0, duration: dark)])
  }

  /// Returns a pattern of countable short flashes and a pause.
  ///
  /// - Parameter count: the number of flashes, 1 or more.
  package static func flashes(_ count: Int) -> IndicatorPattern {
    var steps: [Step] = []
    for _ in 0..<max(1, count) {
      steps.append(Step(level: 1, duration: .milliseconds(150)))
      steps.append(Step(level: 0, duration: .milliseconds(250)))
    }
    steps[steps.count - 1].duration = .milliseconds(1500)
    return IndicatorPattern(steps: steps)
  }
}

extension IndicatorPattern {
  /// The time after which the pattern repeats; zero for a steady light.
  package var period: Duration {
    steps.count > 1 ? steps.reduce(.zero) { $0 + $1.duration } : .zero
  }
}

/// A light that shows a state: a kernel LED or a GPIO line.
package protocol Indicator: Sendable {
  /// The light's display name, for example `rig:green:ready`.
  var name: String { get }

  /// Shows a pattern until the next call, or for a lifetime.
  ///
  /// Showing the same pattern without a lifetime changes nothing; with a lifetime, pattern and
  /// lifetime restart. When the lifetime has passed, the light is dark. Where the kernel can do
  /// that (the LED trigger `pattern`), it happens even when the process hangs or has died;
  /// elsewhere the process does it.
  ///
  /// - Parameters:
  ///   - pattern: the pattern to show.
  ///   - lifetime: the lifetime, 100 ms or more, or `nil` for no limit; the kernel rounds it up to
  ///     whole periods of the pattern.
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or `inputOutput`.
  func show(_ pattern: IndicatorPattern, for lifetime: Duration?) async throws(DeviceError)

  /// Turns the light off and releases it; the next ``show(_:for:)`` takes it again.
  func release() async
}

extension Indicator {
  /// Shows a pattern until the next call; showing the same pattern again changes nothing.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or `inputOutput`.
  package func show(_ pattern: IndicatorPattern) async throws(DeviceError) {
    try await show(pattern, for: nil)
  }
}

/// The role of an indicator.
package enum IndicatorRole: String, Sendable, Hashable, Codable, CaseIterable {
  /// Shows whether a press would be taken.
  case ready
  /// Shows that there is a fault.
  case fault
  /// Shows that pictures wait for upload, or are being uploaded.
  case upload
  /// Shows that the service runs, like a lamp beside a power switch.
  case power
  /// Shows the most important of these states, as the single light of a rig.
  case single
}
