import API
package import Devices

/// An examination of one part of the rig, with all its inputs given.
protocol DoctorCheck: Sendable {
  /// The part.
  var part: DoctorPart { get }

  /// Returns at least one finding and changes nothing; blocks on files of the kernel and the disk.
  func findings() async -> [DoctorReport.Finding]
}

extension DoctorCheck {
  typealias Finding = DoctorReport.Finding

  /// Returns a finding without a problem.
  func ok(_ seen: String, of subject: String? = nil) -> Finding {
    Finding(part: part, subject: subject, verdict: .ok, seen: seen)
  }

  /// Returns the finding of a part that could not be examined.
  func notChecked(_ why: String, of subject: String? = nil) -> Finding {
    Finding(part: part, subject: subject, verdict: .notChecked, seen: why)
  }

  /// Returns the finding of a problem that does not stop the rig's work.
  func warning(_ code: DoctorCode, _ seen: String, of subject: String? = nil) -> Finding {
    finding(.warning, code, seen, subject)
  }

  /// Returns the finding of a problem that stops the rig's work.
  func fault(_ code: DoctorCode, _ seen: String, of subject: String? = nil) -> Finding {
    finding(.fault, code, seen, subject)
  }

  func finding(
    _ verdict: DoctorReport.Verdict, _ code: DoctorCode, _ seen: String, _ subject: String? = nil
  ) -> Finding {
    let advice = DoctorAdvice.advice(for: code)
    return Finding(
      part: part, subject: subject, verdict: verdict, code: code.rawValue, light: advice.light,
      lightCode: advice.lightCode, seen: seen, advice: advice.text)
  }
}

/// A current reason of the session, with its cause.
package struct DoctorReason: Sendable, Hashable {
  /// The reason, of the closed set.
  package var reason: InterruptionReason
  /// The cause in words.
  var cause: String?
  /// Whether presses are refused for this reason.
  var refuses: Bool

  /// Makes a reason.
  ///
  /// - Parameters:
  ///   - cause: the cause in words; `nil` if unknown.
  ///   - refuses: whether presses are refused for this reason.
  package init(_ reason: InterruptionReason, cause: String? = nil, refuses: Bool = true) {
    self.reason = reason
    self.cause = cause
    self.refuses = refuses
  }
}

extension [DoctorReason] {
  /// Returns the findings for some reasons: faults if they refuse presses, else warnings.
  func findings(
    among reasons: [InterruptionReason], of check: some DoctorCheck, subject: String? = nil
  ) -> [DoctorReport.Finding] {
    filter { reasons.contains($0.reason) }.map { known in
      return check.finding(
        known.refuses ? .fault : .warning, DoctorCode(known.reason),
        known.cause ?? known.reason.facts.meaning, subject)
    }
  }
}
