import Foundation
import Testing
import TestSupport

/// Polkit's rules for ending the machine and setting the clock, run by Duktape as in polkit itself.
@Suite struct PolkitRulesTests {
  /// A request to polkit by a user.
  struct Question: Sendable, CustomTestStringConvertible {
    let user: String
    let groups: [String]
    let action: String
    var unit = ""
    var verb = ""
    let isAllowed: Bool

    var testDescription: String { "\(user) \(groups) \(action) \(verb) \(unit)" }
  }

  private static let login = "org.freedesktop.login1."
  private static let units = "org.freedesktop.systemd1.manage-units"
  private static let people = [
    ("platen", ["platen"]), ("maria", ["platen-technician"]), ("eve", ["users", "platen-viewer"]),
  ]

  static let power = people.flatMap { user, groups in
    [
      ("power-off", true), ("power-off-multiple-sessions", true), ("reboot", true),
      ("reboot-multiple-sessions", true), ("power-off-ignore-inhibit", false),
      ("reboot-ignore-inhibit", false), ("suspend", false), ("halt", false),
      ("set-reboot-to-firmware-setup", false),
    ].map { name, isPower in
      Question(
        user: user, groups: groups, action: login + name, isAllowed: isPower && user != "eve")
    }
  }

  static let service = people.flatMap { user, groups in
    [
      ("platend.service", "start", true), ("platend.service", "restart", true),
      ("platend.service", "stop", false), ("platend.service", "kill", false),
      ("platend.service", "", false), ("ssh.service", "restart", false),
      ("platend.service.evil", "start", false), ("", "start", false),
    ].map { unit, verb, isOurs in
      Question(
        user: user, groups: groups, action: units, unit: unit, verb: verb,
        isAllowed: isOurs && user == "maria")
    }
  }

  static let clock = people.flatMap { user, groups in
    [
      ("set-time", true), ("set-timezone", false), ("set-ntp", true), ("set-local-rtc", false),
      ("set-time2", false), ("", false),
    ].map { name, isClock in
      Question(
        user: user, groups: groups, action: "org.freedesktop.timedate1." + name,
        isAllowed: isClock && user == "maria")
    }
  }

  static let others = [
    Question(
      user: "maria", groups: ["platen-technician"],
      action: "org.freedesktop.systemd1.manage-unit-files", unit: "platend.service", verb: "start",
      isAllowed: false),
    Question(
      user: "maria", groups: ["platen-technician"], action: "org.freedesktop.policykit.exec",
      isAllowed: false),
    // A group with a name that begins like the right one.
    Question(
      user: "platen-technician", groups: ["platen-technician2"], action: login + "reboot",
      isAllowed: false),
  ]

  @Test(arguments: power + service + clock + others)
  func `the rules allow only their purpose`(_ question: Question) throws {
    #expect(try answer(to: question) == (question.isAllowed ? "yes" : "not handled"))
  }

  private func answer(to question: Question) throws -> String {
    var root = URL(filePath: #filePath)
    for _ in 1...4 { root.deleteLastPathComponent() }
    let rules = try String(
      contentsOf: root.appending(path: "polkit/50-platen.rules"), encoding: .utf8)
    let script = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).js")
    defer { try? FileManager.default.removeItem(at: script) }
    let groups = try JSONEncoder().encode(question.groups)
    try """
    var rule;
    var polkit = {
      Result: { YES: "yes", NOT_HANDLED: "not handled" },
      addRule: function (given) { rule = given; }
    };
    \(rules)
    var groups = \(String(decoding: groups, as: UTF8.self));
    var details = { unit: "\(question.unit)", verb: "\(question.verb)" };
    print(rule(
      { id: "\(question.action)", lookup: function (key) { return details[key]; } },
      { user: "\(question.user)",
        isInGroup: function (name) { return groups.indexOf(name) >= 0; } }));
    """.write(to: script, atomically: true, encoding: .utf8)
    let duktape = try Tool.runHere("duk", [script.path])
    return (duktape.output + duktape.complaint).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
