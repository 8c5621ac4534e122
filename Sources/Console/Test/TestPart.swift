import API

/// A part of the rig that is tested by somebody who stands before it; the cases are in the order in
/// which all are tested.
public enum TestPart: String, Sendable, Hashable, Codable, CaseIterable {
  /// A button's line, its contact, and how its presses are understood.
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

  /// The parts of the doctor's examination that belong to it.
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

/// What came of one test: one line of `platenctl test --json`.
public struct TestResult: Sendable, Hashable, Codable {
  /// How a test ended.
  public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// The part does what it should.
    case passed
    /// It does not, or nobody has said so.
    case failed
    /// The rig does not have it.
    case skipped
  }

  /// The part.
  public var part: TestPart
  /// Which of several, for example a light's role; `nil` for the only one.
  public var subject: String?
  /// How the test ended.
  public var verdict: Verdict
  /// What was seen, a sentence each.
  public var seen: [String]
  /// What is wrong, as the doctor names it; `nil` when nothing is or it has no name.
  public var code: String?
  /// What to do next, a sentence or two each.
  public var advice: [String]
  /// Measured values by their names, which end in their units.
  public var figures: [String: Double]
  /// How long the test took, in seconds.
  public var seconds: Double

  /// Makes a result that has taken no time yet.
  public init(
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

  /// A test after which the service itself says whether something is wrong.
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

  /// The exit status for results: 0 when at least one part passed and none failed, else 1.
  public static func exitStatus(_ results: [TestResult]) -> Int32 {
    let isAnyPassed = results.contains { $0.verdict == .passed }
    return isAnyPassed && !results.contains { $0.verdict == .failed } ? 0 : 1
  }
}
