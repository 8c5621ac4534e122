import API
import Console
import Testing

@Suite struct DoctorViewTests {
  private let report = DoctorReport(
    rig: "rig-7", version: "1.0", isServiceRunning: true, findings: DoctorSamples.findings)

  @Test func `each finding shows its part, code and advice`() {
    let lines = report.rendered()
    #expect(lines.first == "rig rig-7, platend 1.0")
    #expect(
      lines.contains(
        "FAULT        cameras        main: process 4711 (\"rpicam-still\") uses /dev/media0"))
    let indent = String(repeating: " ", count: 28)
    #expect(lines.contains(indent + "code cameraInUse, lights show 1-3"))
    #expect(lines.contains(indent + "End the program that is named here."))
    #expect(lines.contains("not checked  lamp           the configuration names no lamp"))
    #expect(lines.last == "1 fault, 1 warning, 1 in order, 1 not checked")
  }

  @Test(arguments: [48, 60, 80, 132]) func `no line is wider than the terminal`(_ width: Int) {
    let long = DoctorReport(
      rig: String(repeating: "r", count: 64), version: "1.0", isServiceRunning: false,
      findings: DoctorPart.allCases.map { part in
        DoctorReport.Finding(
          part: part, subject: String(repeating: "s", count: 40), verdict: .warning,
          code: String(repeating: "c", count: 40), light: String(repeating: "l", count: 40),
          lightCode: "1-1", seen: String(repeating: "seen ", count: 60),
          advice: String(repeating: "w", count: 300))
      })
    let lines = long.rendered(width: width)
    #expect(lines.allSatisfy { PlainText.columns($0) <= width })
  }

  @Test func `no shown text controls the terminal`() {
    let evil = "\u{1B}[2J\u{202E}\u{9B}x\u{7}\n"
    let report = DoctorReport(
      rig: evil, version: evil, isServiceRunning: true,
      findings: [
        DoctorReport.Finding(
          part: .lamp, subject: evil, verdict: .fault, code: evil, light: evil, lightCode: evil,
          seen: evil, advice: evil)
      ])
    let all = report.rendered().joined()
    #expect(!all.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    #expect(!all.contains("\u{202E}"))
  }
}
