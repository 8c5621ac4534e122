/// The doctor's findings: the answer to `GET /v1/doctor`.
package struct DoctorReport: Sendable, Hashable, Codable {
  /// The verdict on a part or a member of it.
  package enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// The examination found no problem.
    case ok
    /// The examination was not possible, or there is nothing to examine; `seen` says why.
    case notChecked
    /// Something is wrong, or soon will be, but the rig does its work.
    case warning
    /// Something is wrong and keeps the rig from its work, or from a part of it.
    case fault
  }

  /// A finding of the examination.
  package struct Finding: Sendable, Hashable, Codable {
    /// The part of the rig that the finding belongs to.
    package let part: DoctorPart
    /// The member of the part, for example a target's name; `nil` for the part as a whole.
    package let subject: String?
    /// The verdict of the finding.
    package let verdict: Verdict
    /// The reason code of the problem, for example `cameraUnplugged`; `nil` without a problem.
    ///
    /// Readiness, log and lights have the same code where they have one.
    package let code: String?
    /// The lights' state for the problem, as ``LightTableRow/state`` spells it.
    ///
    /// `nil` when the lights show nothing.
    package let light: String?
    /// The digits that the fault light or the only light flashes for that state; `nil` for none.
    package let lightCode: String?
    /// The observation, in words.
    package let seen: String
    /// The advice, one or two sentences; `nil` when there is nothing to do.
    package let advice: String?

    package init(
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

  /// The rig's name; `nil` when the configuration does not name it.
  package let rig: String?
  /// The version of the software that made the report.
  package let version: String
  /// Whether the service itself made the report; without the service some parts are not checked.
  package let isServiceRunning: Bool
  /// The findings in the order of ``DoctorPart``, at least one for each part that was asked for.
  package let findings: [Finding]

  package init(rig: String?, version: String, isServiceRunning: Bool, findings: [Finding]) {
    self.rig = rig
    self.version = version
    self.isServiceRunning = isServiceRunning
    self.findings = findings
  }

  /// Returns the number of findings with a verdict.
  package func count(_ verdict: Verdict) -> Int { findings.count { $0.verdict == verdict } }
}
