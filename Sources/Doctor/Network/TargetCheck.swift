import API
import Devices
import Upload
import Spool

/// The check of the targets: the connection to each, and its last answer.
package struct TargetCheck: DoctorCheck {
  /// A target and the service's knowledge of it.
  package struct Target: Sendable, Hashable {
    var name: String
    /// The target's place; `nil` for a directory.
    var place: TargetProbe.Place?
    /// The directory; `nil` for a target with a URL.
    var directory: String?
    /// The reason for the last failed delivery; `nil` when it succeeded, or without a service.
    var failure: Failure?
    /// Whether a technician has paused the uploads.
    var isPaused = false
    /// The number of pictures that were set aside; `nil` without a service.
    var parked: Int?
  }

  /// The reason for a failed delivery.
  struct Failure: Sendable, Hashable {
    /// The code in the spelling of `Upload.DeliveryFailure`.
    var code: String
    /// The HTTP status; `nil` without an answer.
    var status: Int?
    var text: String
    /// Whether the uploader pauses the target because of this failure.
    var isOpen: Bool
  }

  let part = DoctorPart.targets
  let targets: [Target]
  /// The wall clock, by which certificates are checked.
  let clock: WallClockReading
  let files: KernelFiles
  /// Tries the connection to a target.
  let probe: @Sendable (TargetProbe.Place) async -> TargetProbeReport

  func findings() async -> [DoctorReport.Finding] {
    guard !targets.isEmpty else {
      return [notChecked("the configuration names no target; pictures stay in the spool")]
    }
    // The markers are read one after the other: a drive that hangs may block this part's queue
    // only.
    let markers = targets.map { target in target.directory.flatMap { marker($0, target) } }
    return await inOrder(Array(zip(targets, markers))) { target, marker in
      await findings(of: target, marker)
    }.flatMap(\.self)
  }

  private func findings(of target: Target, _ marker: Finding?) async -> [Finding] {
    var findings: [Finding] = []
    var way = ""
    if let directory = target.directory {
      findings += marker.map { [$0] } ?? []
      way = "\"\(directory)\" is there"
    } else if let place = target.place {
      let report = await probe(place)
      findings += problem(of: report, target).map { [$0] } ?? []
      let time = report.connectMilliseconds.map { " in \(Int($0.rounded(.up))) ms" } ?? ""
      way = "\(report.endpoint) connects\(time)\(report.isSecured == true ? ", secured" : "")"
    }
    if let failure = target.failure, let finding = answer(failure, target, findings) {
      findings.append(finding)
    }
    if target.isPaused {
      findings.append(
        warning(.uploadsPaused, "a technician holds the uploads back", of: target.name))
    }
    if let parked = target.parked, parked > 0 {
      findings.append(
        warning(
          .picturesParked, "\(parked.counted("picture was", "pictures were")) set aside",
          of: target.name))
    }
    return findings.isEmpty ? [ok(way, of: target.name)] : findings
  }

  private func marker(_ directory: String, _ target: Target) -> Finding? {
    guard files.exists(directory) else {
      return fault(.targetDirectoryAbsent, "\"\(directory)\" is not there", of: target.name)
    }
    let marker = directory + "/" + DirectoryTarget.markerName
    guard let bytes = files.bytes(of: marker) else {
      return fault(
        .targetDirectoryAbsent,
        files.exists(marker)
          ? "\"\(marker)\" cannot be read"
          : "\"\(directory)\" has no file \(DirectoryTarget.markerName) with the name of the target",
        of: target.name)
    }
    // The name is read as the target itself reads a file that a person may have written elsewhere.
    let name = WrittenText.firstLine(of: bytes.prefix(256))
    guard name == target.name else {
      return fault(
        .targetDirectoryAbsent, "\"\(marker)\" says \"\(name)\" and not the name of the target",
        of: target.name)
    }
    return nil
  }

  private func problem(of report: TargetProbeReport, _ target: Target) -> Finding? {
    guard let step = report.failedStep else {
      return report.problem.map {
        notChecked("\(report.endpoint) connects, but TLS is not tried: \($0)", of: target.name)
      }
    }
    let cause = report.problem ?? "no answer"
    return switch step {
    case .resolve:
      fault(
        .targetUnresolved, "no address of \(report.endpoint) was found: \(cause)", of: target.name)
    case .connect:
      fault(.targetUnreachable, "\(report.endpoint) does not connect: \(cause)", of: target.name)
    case .tls: insecure("\(report.endpoint) cannot be secured: \(cause)", target)
    }
  }

  /// Returns the fault of an insecure connection; if the clock may be the cause, it comes first.
  private func insecure(_ seen: String, _ target: Target) -> Finding {
    fault(mayBeTheClocks(seen) ? .targetClockWrong : .targetTLSFailed, seen, of: target.name)
  }

  /// Returns whether the clock may be the cause.
  ///
  /// The clock is the cause if its year is impossible. The clock may be the cause if nothing
  /// vouches for it and the certificate's dates are the problem.
  private func mayBeTheClocks(_ seen: String) -> Bool {
    guard clock.isPlausible else { return true }
    // A server that reports the rig's certificate in an alert uses its own clock.
    guard clock.trust == .estimated, !seen.contains(" alert ") else { return false }
    return Self.wordsOfDates.contains { seen.contains($0) }
  }

  /// The words of OpenSSL for a certificate or a revocation list that is not valid by the clock.
  private static let wordsOfDates = ["not yet valid", "expired"]

  /// Returns the finding of the target's last answer; `nil` if the connection's finding covers it.
  private func answer(_ failure: Failure, _ target: Target, _ found: [Finding]) -> Finding? {
    // A directory's own finding covers it, unless the marker exists and cannot be read.
    if let directory = target.directory, !found.isEmpty {
      let marker = directory + "/" + DirectoryTarget.markerName
      if files.bytes(of: marker) != nil || !files.exists(marker) { return nil }
    }
    let seen = failure.text + (failure.isOpen ? "; it is left alone for a while" : "")
    switch (failure.code, failure.status) {
    case ("tls", _):
      return found.isEmpty ? insecure(seen, target) : nil
    case ("unreachable", _), ("timedOut", _):
      return found.isEmpty ? warning(.targetFailing, seen, of: target.name) : nil
    case (_, 401?), (_, 407?): return fault(.targetUnauthorized, seen, of: target.name)
    case (_, 403?): return fault(.targetForbidden, seen, of: target.name)
    case ("unauthorized", _): return fault(.targetUnauthorized, seen, of: target.name)
    default: return fault(.targetFailing, seen, of: target.name)
    }
  }
}
