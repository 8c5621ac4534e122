import API
import Testing

@testable import Platen

@Suite struct TargetCheckTests {
  /// A technician may not read the key of the service's certificate.
  @Test func whatThisAccountMayNotReadIsNoFault() async throws {
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
}
