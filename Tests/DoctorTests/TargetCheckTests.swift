import API
import Testing

@testable import Doctor

@Suite struct TargetCheckTests {
  /// A technician may not read the key of the service's certificate.
  @Test func `a key that this account may not read is no fault`() async throws {
    let machine = try FakeMachine()
    var evidence = try machine.evidence(isServiceRunning: false)
    evidence.probe = {
      TargetProbeReport(
        target: $0.target, endpoint: "pages.example:443", connectMilliseconds: 31,
        problem: "this account may not read \"/etc/platen/rig.key\"")
    }
    let findings = await evidence.check(of: .targets).findings()
    #expect(findings.map(\.verdict) == [.notChecked, .ok], "\(findings)")
    #expect(findings[0].subject == "archive" && findings[0].seen.contains("TLS is not tried"))
    #expect(findings[0].seen.contains("/etc/platen/rig.key"))
  }

  /// A marker written by a person on another system is valid for the doctor as well.
  @Test(
    arguments: [
      [0xEF, 0xBB, 0xBF] + Array("drive\r\n".utf8), Array(" drive \n".utf8),
      [0xFF, 0xFE] + "drive\r\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    ] as [[UInt8]])
  func `a marker from another system is read`(bytes: [UInt8]) async throws {
    let machine = try FakeMachine()
    try machine.write(bytes, to: "/media/drive/.platen-target")
    let findings = try await machine.evidence(isServiceRunning: true).check(of: .targets).findings()
    #expect(findings.map(\.verdict) == [.ok, .ok], "\(findings)")
  }

  @Test func `another drive is one finding that names it`() async throws {
    let machine = try FakeMachine()
    try machine.write("other", to: "/media/drive/.platen-target")
    var evidence = try machine.evidence(isServiceRunning: true)
    let drive = try #require(evidence.targets.firstIndex { $0.directory != nil })
    evidence.targets[drive].failure = TargetCheck.Failure(
      code: "unavailable", text: "another drive is there", isOpen: true)
    let findings = await evidence.check(of: .targets).findings().filter { $0.verdict == .fault }
    #expect(findings.count == 1 && findings[0].seen.contains("says \"other\""), "\(findings)")
  }
}
