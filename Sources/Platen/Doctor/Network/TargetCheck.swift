import API
import Devices
import Upload

/// How far the way to each target leads, and what the target answered last.
struct TargetCheck: DoctorCheck {
  /// A target, and what the service knows of it.
  struct Target: Sendable, Hashable {
    var name: String
    /// Where it is; `nil` for a directory.
    var place: TargetProbe.Place?
    /// The directory; `nil` for a target with a URL.
    var directory: String?
    /// Why the last delivery failed; `nil` when it did not, or without a service.
    var failure: Failure?
    /// Whether a technician holds the uploads back.
    var isPaused = false
    /// Pictures that were set aside; `nil` without a service.
    var parked: Int?
  }

  /// Why a delivery failed.
  struct Failure: Sendable, Hashable {
    /// The code as `Upload.DeliveryFailure` spells it.
    var code: String
    /// The HTTP status, if there was an answer.
    var status: Int?
    var text: String
    /// Whether the target is left alone for it.
    var isOpen: Bool
  }

  let part = DoctorPart.targets
  let targets: [Target]
  /// The wall clock, by which certificates are judged.
  let clock: WallClockReading
  let files: KernelFiles
  /// Goes the way to a target.
  let probe: @Sendable (TargetProbe.Place) async -> TargetProbeReport

  func findings() async -> [DoctorReport.Finding] {
    guard !targets.isEmpty else {
      return [notChecked("the configuration names no target; pictures stay in the spool")]
    }
    // Read here and not side by side: a drive that hangs may keep this part's own queue only.
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
        warning(.picturesParked, "\(parked) pictures were set aside", of: target.name))
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
    // As the target itself reads what a person may have written on another system.
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

  /// A certificate is judged by the clock: the clock is to be set first when it may be why.
  private func insecure(_ seen: String, _ target: Target) -> Finding {
    fault(mayBeTheClocks(seen) ? .targetClockWrong : .targetTLSFailed, seen, of: target.name)
  }

  /// Whether it may be the clock's fault: it cannot be right, or nothing vouches for it and the
  /// certificate's dates are what is wrong.
  private func mayBeTheClocks(_ seen: String) -> Bool {
    guard clock.isPlausible else { return true }
    // A server that complains of our certificate in an alert has a clock of its own.
    guard clock.trust == .estimated, !seen.contains(" alert ") else { return false }
    return Self.wordsOfDates.contains { seen.contains($0) }
  }

  /// How OpenSSL says that a certificate or a revocation list is not valid by the clock.
  private static let wordsOfDates = ["not yet valid", "expired"]

  /// What the target answered last; `nil` for what the way there says already.
  private func answer(_ failure: Failure, _ target: Target, _ found: [Finding]) -> Finding? {
    // A directory's own finding says why, unless its marker is there and cannot be read.
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
