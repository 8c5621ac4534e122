/// What the doctor has found: the answer to `GET /v1/doctor`.
public struct DoctorReport: Sendable, Hashable, Codable {
  /// What is thought of something.
  public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// It was looked at and nothing is wrong.
    case ok
    /// It could not be looked at, or there is none; `seen` says why.
    case notChecked
    /// Something is wrong, or soon will be, and the rig does its work all the same.
    case warning
    /// Something is wrong and keeps the rig from its work, or from a part of it.
    case fault
  }

  /// One thing that was looked at.
  public struct Finding: Sendable, Hashable, Codable {
    /// The part of the rig that it belongs to.
    public let part: DoctorPart
    /// Which of several, for example a target's name; `nil` for the part as a whole.
    public let subject: String?
    /// What is thought of it.
    public let verdict: Verdict
    /// What is wrong: the reason code that readiness, log and lights have for it where they have
    /// one, for example `cameraUnplugged`; `nil` when nothing is.
    public let code: String?
    /// The state that the lights show for it, as ``LightTableRow/state`` spells it; `nil` when they
    /// show nothing.
    public let light: String?
    /// The digits of that, as the fault light or the only light flashes them; `nil` for none.
    public let lightCode: String?
    /// What was seen, in words.
    public let seen: String
    /// What to do about it, one or two sentences; `nil` when there is nothing to be done.
    public let advice: String?

    /// Makes a finding.
    public init(
      part: DoctorPart, subject: String? = nil, verdict: Verdict, code: String? = nil,
      light: String? = nil, lightCode: String? = nil, seen: String, advice: String? = nil
    ) {
      self.part = part
      self.subject = subject
      self.verdict = verdict
      self.code = code
      self.light = light
      self.lightCode = lightCode
      self.seen = seen
      self.advice = advice
    }
  }

  /// The rig's name; `nil` when the configuration does not tell.
  public let rig: String?
  /// The version of the software that examined.
  public let version: String
  /// Whether the service itself examined; without it some parts are not checked.
  public let isServiceRunning: Bool
  /// What was found, in the order of ``DoctorPart``; at least one for each part that was asked for.
  public let findings: [Finding]

  /// Makes a report.
  public init(rig: String?, version: String, isServiceRunning: Bool, findings: [Finding]) {
    self.rig = rig
    self.version = version
    self.isServiceRunning = isServiceRunning
    self.findings = findings
  }

  /// How many findings have a verdict.
  public func count(_ verdict: Verdict) -> Int { findings.count { $0.verdict == verdict } }
}
