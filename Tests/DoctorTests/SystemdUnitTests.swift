import API
import Devices
import Testing

@testable import Doctor

@Suite struct SystemdUnitTests {
  /// The output of `systemctl show`, and words that the doctor must use.
  static let shown: [(String, [String])] = [
    (
      """
      LoadState=loaded
      ActiveState=failed
      SubState=failed
      Result=exit-code
      ExecMainCode=1
      ExecMainStatus=78
      NRestarts=0
      """, ["failed", "configuration is wrong", "78"]
    ),
    (
      """
      LoadState=loaded
      ActiveState=activating
      SubState=auto-restart
      Result=watchdog
      ExecMainCode=2
      ExecMainStatus=6
      NRestarts=41
      """, ["activating (auto-restart)", "watchdog", "41 times"]
    ),
    (
      """
      LoadState=loaded
      ActiveState=inactive
      SubState=dead
      Result=success
      ExecMainCode=1
      ExecMainStatus=0
      NRestarts=0
      """, ["inactive (dead)", "was stopped"]
    ),
    (
      "LoadState=loaded\nActiveState=failed\nResult=oom-kill\nNRestarts=2",
      ["no memory left", "2 times"]
    ),
    (
      "LoadState=loaded\nActiveState=failed\nResult=core-dump\nExecMainCode=3\nExecMainStatus=11",
      ["signal 11"]
    ),
  ]

  @Test(arguments: shown) func `the reason of a stop is said in words`(
    _ text: String, _ words: [String]
  )
    async
  {
    let check = ServiceCheck(
      status: nil, record: { .success(nil) }, unit: SystemdUnit(text))
    let findings = await check.findings()
    #expect(findings.map(\.code) == ["serviceStopped"])
    for word in words { #expect(findings[0].seen.contains(word), "\(findings[0].seen)") }
  }

  @Test(arguments: ["", "LoadState=not-found\nActiveState=inactive", "nonsense\n=\n==", "\0\0"])
  func `a unit that systemd does not know is reported as unknown`(_ text: String) async {
    let check = ServiceCheck(
      status: nil, record: { .success(nil) }, unit: SystemdUnit(text))
    let seen = await check.findings()[0].seen
    #expect(seen == "the service does not answer, and systemd does not know it")
  }
}
