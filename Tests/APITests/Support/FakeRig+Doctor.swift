import API

extension FakeRig {
  func examine(_ parts: [DoctorPart]) async -> DoctorReport {
    DoctorReport(
      rig: "rig-7", version: "1.0", isServiceRunning: true,
      findings: DoctorSamples.findings.filter { parts.contains($0.part) })
  }
}

/// Findings of a doctor.
enum DoctorSamples {
  static let findings = [
    DoctorReport.Finding(
      part: .configuration, verdict: .ok, seen: "\"/etc/platen/platen.yaml\" is in order"),
    DoctorReport.Finding(
      part: .cameras, subject: "main", verdict: .fault, code: "cameraInUse", light: "cameraInUse",
      lightCode: "1-3", seen: "process 4711 (\"rpicam-still\") uses /dev/media0",
      advice: "End the program that is named here."),
    DoctorReport.Finding(
      part: .lamp, verdict: .notChecked, seen: "the configuration names no lamp"),
    DoctorReport.Finding(
      part: .targets, subject: "archive", verdict: .warning, code: "picturesParked",
      seen: "3 pictures were set aside", advice: "Look at them."),
  ]
}
