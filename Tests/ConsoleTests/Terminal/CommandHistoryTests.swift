import Console
import Foundation
import Testing

@Suite struct CommandHistoryTests {
  private func withDirectory(_ body: (String) throws -> Void) throws {
    let path = "/tmp/platen-console-\(UInt64.random(in: 0...UInt64.max))"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test func `the last five hundred lines are kept for the user alone`() throws {
    try withDirectory { directory in
      let path = directory + "/deep/history"
      var history = CommandHistory(path: path)
      for number in 0..<510 { history.add("press \(number)") }
      let again = CommandHistory(path: path)
      #expect(again.lines == (10..<510).map { "press \($0)" })
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/deep").count == 1)
    }
  }

  @Test func `empty, repeated and terminal-controlling lines are not kept`() {
    var history = CommandHistory(path: nil)
    for line in ["status", "status", "  ", "", "a\u{1B}[2J", "shoot", "status"] {
      history.add(line)
    }
    #expect(history.lines == ["status", "shoot", "status"])
  }

  @Test func `a damaged file is read as far as possible`() throws {
    try withDirectory { directory in
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: false)
      let path = directory + "/history"
      let damaged = Array("status\n".utf8) + [0xFF, 0xFE, 0x0A, 0x1B, 0x0A] + Array("shoot".utf8)
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      #expect(CommandHistory(path: path).lines == ["status", "shoot"])
    }
  }

  @Test func `an unwritable file does not stop the console`() {
    var history = CommandHistory(path: "/proc/none/history")
    let isAdded = history.add("status")
    #expect(isAdded && history.lines == ["status"])
  }

  @Test(
    arguments: [
      (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/platen/console-history"),
      (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/platen/console-history"),
      (["HOME": "/h"], "/h/.local/state/platen/console-history"), ([:], nil),
    ] as [([String: String], String?)])
  func `the folder follows the XDG specification`(_ environment: [String: String], _ path: String?)
  {
    #expect(CommandHistory.path(environment: environment) == path)
  }
}
