import API
import Capture

/// An examination of one part of the rig; it has all that it reads put into it.
protocol DoctorCheck: Sendable {
  /// The part.
  var part: DoctorPart { get }

  /// Looks, and changes nothing; at least one finding. Blocks on files of the kernel and the disk.
  func findings() async -> [DoctorReport.Finding]
}

extension DoctorCheck {
  typealias Finding = DoctorReport.Finding

  /// Nothing is wrong.
  func ok(_ seen: String, of subject: String? = nil) -> Finding {
    Finding(part: part, subject: subject, verdict: .ok, seen: seen)
  }

  /// It could not be looked at.
  func notChecked(_ why: String, of subject: String? = nil) -> Finding {
    Finding(part: part, subject: subject, verdict: .notChecked, seen: why)
  }

  /// Something is wrong, and the rig does its work all the same.
  func warning(_ code: DoctorCode, _ seen: String, of subject: String? = nil) -> Finding {
    finding(.warning, code, seen, subject)
  }

  /// Something is wrong and keeps the rig from its work.
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

/// A reason of the session that holds now, with its cause.
struct DoctorReason: Sendable, Hashable {
  var reason: InterruptionReason
  /// The cause in words.
  var cause: String?
  /// Whether presses are refused for it.
  var refuses: Bool

  init(_ reason: InterruptionReason, cause: String? = nil, refuses: Bool = true) {
    self.reason = reason
    self.cause = cause
    self.refuses = refuses
  }
}

extension [DoctorReason] {
  /// Those of a kind, as a check's findings: what refuses presses is a fault, the rest a warning.
  func findings(
    among reasons: [InterruptionReason], of check: some DoctorCheck, subject: String? = nil
  ) -> [DoctorReport.Finding] {
    filter { reasons.contains($0.reason) }.map { known in
      let meaning = IndicatorLanguage.table.first { $0.state == known.reason.rawValue }?.meaning
      return check.finding(
        known.refuses ? .fault : .warning, DoctorCode(known.reason),
        known.cause ?? meaning ?? known.reason.rawValue, subject)
    }
  }
}
