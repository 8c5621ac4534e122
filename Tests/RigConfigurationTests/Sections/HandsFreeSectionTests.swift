import Capture
import RigConfiguration
import Settings
import Testing

@Suite struct HandsFreeSectionTests {
  private func parse(_ section: String) throws -> PlatenConfiguration {
    try PlatenConfiguration.parse(afterMinimum: section)
  }

  @Test func `pictures without a press are off by default`() throws {
    let section = try parse("").handsFree
    #expect(!section.isEnabled && section.policy == PageTurnPolicy())
  }

  @Test func `the section sets the times`() throws {
    let section = try parse("hands_free: { enabled: true, still_time: 1.5 s, countdown: 0 }")
      .handsFree
    #expect(section.isEnabled && section.policy.countdown == 0)
    #expect(section.policy.stillTime == .milliseconds(1500))
  }

  @Test(arguments: ["still_time: 200 ms", "still_time: 11 s", "countdown: 11", "enabled: 1"])
  func `a value out of range is refused`(_ setting: String) {
    #expect(throws: ConfigurationErrors.self) { try parse("hands_free: { \(setting) }") }
  }
}
