/// What a light does, again and again, until it is told something else.
public struct IndicatorPattern: Sendable, Hashable {
  /// One step of a pattern.
  public struct Step: Sendable, Hashable {
    /// Brightness from 0 (off) to 1 (full).
    public var level: Double
    /// How long the step lasts, 1 ms or more; ignored when it is the only one.
    public var duration: Duration

    /// Makes a step.
    public init(level: Double, duration: Duration) {
      self.level = level
      self.duration = duration
    }
  }

  /// The steps, at least one; one alone is a steady light.
  public let steps: [Step]

  /// Makes a pattern from its steps; no step at all is ``off``.
  public init(steps: [Step]) {
    self.steps = steps.isEmpty ? IndicatorPattern.off.steps : steps
  }

  /// Dark.
  public static let off = IndicatorPattern(steps: [Step(level: 0, duration: .zero)])
  /// Steadily lit.
  public static let on = IndicatorPattern(steps: [Step(level: 1, duration: .zero)])

  /// Lit and dark in turn.
  public static func blink(on lit: Duration, off dark: Duration) -> IndicatorPattern {
    IndicatorPattern(steps: [Step(level: 1, duration: lit), Step(level: 0, duration: dark)])
  }

  /// A number of short flashes and a pause, so that they can be counted.
  ///
  /// - Parameter count: flashes, 1 or more.
  public static func flashes(_ count: Int) -> IndicatorPattern {
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
  /// How long the pattern takes until it begins anew; zero for a steady light.
  public var period: Duration {
    steps.count > 1 ? steps.reduce(.zero) { $0 + $1.duration } : .zero
  }
}

/// A light that shows a state: a kernel LED or a GPIO line.
public protocol Indicator: Sendable {
  /// The light as people know it, for example `rig:green:ready`.
  var name: String { get }

  /// Shows a pattern until the next call, or for a lifetime.
  ///
  /// Showing the same again without a lifetime changes nothing; with one, the pattern begins anew,
  /// and so does its lifetime. When the lifetime has passed the light is dark, also when the process
  /// hangs or has died, where the kernel can see to that (the LED trigger `pattern`); elsewhere the
  /// process does.
  ///
  /// - Parameters:
  ///   - pattern: what to show.
  ///   - lifetime: how long, 100 ms or more, or for ever with `nil`; the kernel rounds it up to
  ///     whole periods of the pattern.
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or `inputOutput`.
  func show(_ pattern: IndicatorPattern, for lifetime: Duration?) async throws(DeviceError)

  /// Turns the light off and gives it back; the next ``show(_:for:)`` takes it again.
  func release() async
}

extension Indicator {
  /// Shows a pattern until the next call; showing the same again changes nothing.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or `inputOutput`.
  public func show(_ pattern: IndicatorPattern) async throws(DeviceError) {
    try await show(pattern, for: nil)
  }
}

/// What an indicator is for.
public enum IndicatorRole: String, Sendable, Hashable, Codable, CaseIterable {
  /// Shows whether a press would be taken.
  case ready
  /// Shows that something is wrong.
  case fault
  /// Shows that pictures wait for upload, or are being uploaded.
  case upload
  /// Shows that the service runs, as a lamp beside a power switch does.
  case power
  /// The only light of a rig: shows the most important of all that.
  case single
}
