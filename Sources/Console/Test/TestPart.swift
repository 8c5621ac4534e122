import API

/// A part of the rig that a person tests on site.
///
/// The cases are in the order of a complete test.
package enum TestPart: String, Sendable, Hashable, Codable, CaseIterable {
  /// The line, the contact and the recognized gestures of a button.
  case button
  /// Each light.
  case leds
  /// The accelerometer.
  case accelerometer
  /// A picture, from the press to the disk.
  case camera
  /// Each zone's temperature, and the supply.
  case temperature
  /// The spool's file system.
  case storage
  /// Addresses, routes, name servers, and the way to each target.
  case network
  /// A picture's way to each target, until its receipt.
  case upload

  /// The parts of the doctor's examination for this part.
  var examined: [DoctorPart] {
    switch self {
    case .button: [.buttons]
    case .leds: [.lights]
    case .accelerometer: [.accelerometer]
    case .camera: [.cameras]
    case .temperature: [.temperatures, .supply]
    case .storage: [.storage, .index]
    case .network: [.network, .targets]
    case .upload: [.targets]
    }
  }
}

/// The result of a test: one line of `platenctl test --json`.
package struct TestResult: Sendable, Hashable, Codable {
  /// The outcome of a test.
  package enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// The part works.
    case passed
    /// The part does not work, or the required confirmation is missing.
    case failed
    /// The rig does not have the part.
    case skipped
  }

  /// The part.
  package var part: TestPart
  /// The name of one of several instances, for example a light's role; `nil` for the only one.
  package var subject: String?
  /// The test's outcome.
  package var verdict: Verdict
  /// The observations, one sentence each.
  package var seen: [String]
  /// The doctor's code for the problem; `nil` without a problem or a code.
  package var code: String?
  /// The next steps, each in one or two sentences.
  package var advice: [String]
  /// The measured values by their names, which end in their units.
  package var figures: [String: Double]
  /// The duration of the test in seconds.
  package var seconds: Double

  /// Creates a result without a duration.
  package init(
    _ part: TestPart, subject: String? = nil, _ verdict: Verdict, seen: [String],
    code: String? = nil, advice: [String] = [], figures: [String: Double] = [:]
  ) {
    self.part = part
    self.subject = subject
    self.verdict = verdict
    self.seen = seen
    self.code = code
    self.advice = advice
    self.figures = figures
    seconds = 0
  }

  /// Creates a result from the service's own verdict.
  init(
    _ part: TestPart, subject: String? = nil, _ problem: TestProblem?, seen: [String],
    figures: [String: Double?] = [:]
  ) {
    self.init(
      part, subject: subject, problem == nil ? .passed : .failed,
      seen: (problem.map { [$0.seen] } ?? []) + seen, code: problem?.code,
      advice: problem.map { [$0.advice] } ?? [],
      figures: figures.compactMapValues { value in value.flatMap { $0.isFinite ? $0 : nil } })
  }

  /// Returns the exit status: 0 if at least one part passed and none failed, else 1.
  package static func exitStatus(_ results: [TestResult]) -> Int32 {
    let isAnyPassed = results.contains { $0.verdict == .passed }
    return isAnyPassed && !results.contains { $0.verdict == .failed } ? 0 : 1
  }
}
