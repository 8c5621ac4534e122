import API
import Foundation
import Testing

@testable import Console

/// The system's log entries for a configuration that is changed without the service.
@Suite struct SystemManagerConfigurationTests {
  private let file = "/etc/platen/platen.yaml"
  private let user = "user \(getuid())"

  @Test func `the user and the keys of a change are logged`() {
    var request = LocalConfigurationRequest()
    request.change = ConfigurationChange(set: ["camera.zoom": "hunter2", "a\nb": "hunter2"])
    #expect(
      SystemManager.words(of: request, to: file)
        == "\(user) runs \"config set a\\nb camera.zoom\" on \"\(file)\" without the service")
  }

  @Test(
    arguments: [(nil, "config rollback"), (3, "config rollback --to 3")] as [(Int?, String)])
  func `the user of a rollback is logged`(_ number: Int?, _ command: String) {
    var request = LocalConfigurationRequest()
    request.rollback = ConfigurationRollback(to: number)
    #expect(
      SystemManager.words(of: request, to: file)
        == "\(user) runs \"\(command)\" on \"\(file)\" without the service")
  }

  @Test func `a finished change is logged with its keys`() {
    let lines = [
      " camera:", "-  frame_rate: 25 # hunter2", "+  frame_rate: hunter2", "+image: { quality: 9 }",
      "+  zones:", "+    - hunter2", "+  - url: \"http://hunter2/\"", "+    http://hunter2/",
      "+  # hunter2: x", "+  hunter2, x: y", "+  off-site:",
    ]
    let report = ConfigurationChangeReport(hash: "00", lines: lines, needsRestart: true)
    #expect(
      SystemManager.words(of: report, to: file)
        == "\(user) has changed \"\(file)\", keys frame_rate, image, zones, url, off-site")
    let same = ConfigurationChangeReport(hash: "00", lines: [], needsRestart: true)
    #expect(
      SystemManager.words(of: same, to: file) == "\(user) has changed nothing in \"\(file)\"")
  }
}
