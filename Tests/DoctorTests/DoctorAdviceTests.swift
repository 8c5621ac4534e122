import API
import Capture
import Devices
import Testing

@testable import Doctor

@Suite struct DoctorAdviceTests {
  /// The first words of advice: actions that a person can do.
  static let actions: Set<String> = [
    "Add", "Ask", "Bring", "Check", "Clean", "Connect", "Copy", "Correct", "Count", "End", "Free",
    "Go", "Hold", "Install", "Let", "Light", "Look", "Mount", "Move", "Plug", "Press", "Read",
    "Remove", "Replace", "Restart", "Run", "Set", "Start", "Straighten", "Switch", "Take", "Turn",
    "Wait",
  ]

  /// States of the lights without a fault.
  static let well: Set<String> = [
    "ready", "capturing", "countdown", "inOrder", "uploadsIdle", "uploadsActive", "running",
    "recording",
  ]

  @Test func `every code of the lights has advice`() {
    let codes = Set(DoctorAdvice.table.map(\.code.rawValue))
    for entry in IndicatorLanguage.table where !Self.well.contains(entry.state) {
      #expect(codes.contains(entry.state), "\(entry.state)")
    }
    for reason in InterruptionReason.allCases {
      #expect(codes.contains(reason.rawValue), "\(reason)")
    }
  }

  @Test func `the API describes each code with its meaning, its digits and its advice`() throws {
    let codes = DeclarationsReport.Code.all
    #expect(codes.map(\.code) == Set(codes.map(\.code)).sorted())
    for advice in DoctorAdvice.table {
      let code = try #require(codes.first { $0.code == advice.code.rawValue })
      #expect(code.advice == advice.text && code.flashes == advice.lightCode)
    }
    for entry in IndicatorLanguage.table {
      #expect(codes.first { $0.code == entry.state }?.meaning != nil, "\(entry.state)")
    }
  }

  @Test func `no code occurs twice`() {
    #expect(Set(DoctorAdvice.table.map(\.code)).count == DoctorAdvice.table.count)
  }

  @Test(arguments: DoctorAdvice.table) func `advice begins with an action`(_ advice: DoctorAdvice) {
    let first = advice.text.split(separator: " ").first.map(String.init) ?? ""
    #expect(Self.actions.contains(first), "\(advice.text)")
    #expect(advice.text.hasSuffix("."))
    let sentences = advice.text.split(separator: ". ").count
    #expect((1...3).contains(sentences) && advice.text.count < 240)
    // The source code is not at hand in front of a rig.
    #expect(!advice.text.contains(".swift"))
  }

  @Test(arguments: DoctorAdvice.table) func `the lights know the state of the advice`(
    _ advice: DoctorAdvice
  ) {
    guard let light = advice.light else {
      #expect(advice.lightCode == nil)
      return
    }
    #expect(IndicatorLanguage.table.contains { $0.state == light }, "\(light)")
  }

  @Test func `an unknown code gives the advice to read the log`() {
    let advice = DoctorAdvice.advice(for: DoctorCode(rawValue: "meteorite"))
    #expect(advice.text.contains("platenctl log"))
    #expect(advice.lightCode == IndicatorLanguage.otherCode.description)
  }
}
