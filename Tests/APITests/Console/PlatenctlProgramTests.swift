import API
import Console
import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// The commands open to a program at the console, and those that need a confirmation.
  @Suite(.timeLimit(.minutes(10))) struct PlatenctlProgramTests {
    private func answers(_ requests: [String], of rig: FakeRig) async throws -> [ConsoleAnswer] {
      try await withServer(rig) { server in
        let tool = try await Tool.run(
          "/bin/bash",
          ["-c", "printf '%s\\n' \"$@\" | \"$0\" console --jsonl", try Tool.platenctlPath()]
            + requests, environment: ["PLATEN_SOCKET": server.socketPath])
        #expect(tool.exitCode == 0 && tool.complaint.isEmpty, "\(tool.complaint)")
        return try tool.output.split(separator: "\n").map {
          try APICoding.decode(ConsoleAnswer.self, from: $0.utf8)
        }
      }
    }

    @Test func `a destructive command needs the key with any options`() async throws {
      let rig = FakeRig()
      let id = SpoolSamples.item(1).id
      rig.holds(SpoolSamples.item(1))
      let delete = #""command":["spool","delete","\#(id)","--confirm","\#(id)"]"#
      let all = try await answers(
        [
          "{\(delete)}", "{\(delete),\"confirm\":\"\(id)\"}",
          #"{"command":["session","forget"]}"#, #"{"command":["session","calibrate","--yes"]}"#,
          #"{"command":["calibrate","camera"]}"#,
          #"{"command":["session","configure","--preset","full","--yes"]}"#,
          #"{"command":["session","configure","--zoom","2"]}"#,
          #"{"command":["session","forget"],"confirm":"rig-7"}"#,
        ], of: rig)
      #expect(
        all.map(\.error?.code) == [
          "confirmation", nil, "confirmation", "confirmation", "confirmation", "confirmation", nil,
          nil,
        ])
      #expect(rig.spool.deleted == [id] && rig.capture.calls == ["configure", "forget"])
    }

    /// Both commands end by themselves, and a machine may move the rig.
    @Test func `a command that ends by itself is run`() async throws {
      let rig = FakeRig()
      rig.editCapture { capture in
        let old = capture.overview
        capture.overview = SessionOverview(
          session: old.session, settings: old.settings, controls: old.controls,
          calibration: old.calibration, lens: LensReport(farthest: 0, nearest: 5),
          cameras: old.cameras, readiness: old.readiness)
      }
      rig.editAlignment { alignment in
        alignment.followsLens = true
        alignment.readings = AlignmentCommandTests.readings(AlignmentCommandTests.poses)
      }
      let all = try await answers(
        [
          #"{"command":["focus","sweep"],"confirm":"rig-7"}"#,
          #"{"command":["calibrate","level"],"confirm":"rig-7"}"#, #"{"command":["preview"]}"#,
          #"{"command":["support-bundle","--base64"]}"#,
        ], of: rig)
      #expect(all.map(\.status) == [0, 0, 0, 64])
      #expect(all.first.map { $0.output.count > 15 } == true)
      #expect(all.dropFirst(2).first?.output.count == 1)
      #expect(all.last?.error?.message.contains("for a terminal") == true)
      #expect(rig.configuration.changes.count == 1)
    }
  }

  /// The output of the built `platenctl` on terminals with UTF-8, and on others.
  @Suite(.timeLimit(.minutes(10))) struct PlatenctlCharactersTests {
    static let locales: [([String: String], Bool)] = [
      (["LANG": "C.UTF-8"], true), (["LANG": ""], false), (["LANG": "C"], false),
      (["LC_ALL": "C", "LANG": "en_GB.UTF-8"], false),
    ]

    private func program(
      _ arguments: [String], _ locale: [String: String], socket: String
    ) throws -> TerminalProgram {
      let environment = ["PLATEN_SOCKET": socket, "TERM": "vt100", "HOME": "/proc/none"]
      return try TerminalProgram(
        try Tool.platenctlPath(), arguments, environment: environment.merging(locale) { $1 })
    }

    private func check(_ program: TerminalProgram, _ isUTF8: Bool) {
      let shown = program.shown
      #expect(shown.contains(isUTF8 ? "capture 90°, " : "capture 90 deg, "), "\(shown)")
      #expect(shown.contains(isUTF8 ? "84.5 °C" : "84.5 deg C"), "\(shown)")
      #expect(program.bytes.contains { $0 >= 0x80 } == isUTF8)
      #expect(shown.split(separator: "\n").allSatisfy { PlainText.columns(String($0)) <= 80 })
    }

    @Test(arguments: locales)
    func `a terminal gets the characters that it knows`(_ locale: [String: String], _ isUTF8: Bool)
      async throws
    {
      try await withServer(FakeRig()) { server in
        let alone = try program(["status"], locale, socket: server.socketPath)
        #expect(await alone.end() == 0)
        check(alone, isUTF8)
        let console = try program(["console"], locale, socket: server.socketPath)
        try await console.expect("thermalPressure> ")
        console.type("status\r")
        try await console.expect("lights      ready dark")
        console.type("exit\r")
        #expect(await console.end() == 0)
        check(console, isUTF8)
      }
    }

    /// A pipe is no terminal, so its text is not replaced.
    @Test func `a pipe gets the text unchanged`() async throws {
      try await withServer(FakeRig()) { server in
        let tool = try await Tool.run(
          try Tool.platenctlPath(), ["status"],
          environment: ["PLATEN_SOCKET": server.socketPath, "LC_ALL": "C"])
        #expect(tool.output.contains("capture 90°, "))
      }
    }
  }
}
