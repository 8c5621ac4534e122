import API
import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// The built `platenctl config`, `network` and `time`.
  @Suite struct ConfigurationCommandTests {
    static let text = """
      # Room 7.
      rig: { id: rig-9 }
      board: simulated
      camera:
        frame_rate: 30 # lamp
      spool: { directory: /var/lib/platen }

      """

    /// Makes a configuration file and an unused socket.
    private func withFile(
      _ body: (_ run: ([String]) async throws -> Tool, _ path: String) async throws -> Void
    ) async throws {
      try await withTemporaryDirectory { directory in
        let path = directory + "/platen.yaml"
        try Data(Self.text.utf8).write(to: URL(fileURLWithPath: path))
        try await body(
          { words in
            let fileless = words.first == "explain"
            return try await Tool.platenctl(
              ["config"] + words + (fileless ? [] : ["--config", path]),
              socket: directory + "/nobody")
          }, path)
      }
    }

    private func text(_ path: String) -> String {
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test func `the running service is asked`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let shown = try await Tool.platenctl(["config", "show"], socket: server.socketPath)
        #expect(shown.exitCode == 0, "\(shown.complaint)")
        #expect(shown.output.contains("what the service runs with"))
        #expect(shown.output.hasSuffix("rig: { id: rig-7 } # ours\nboard: linux\n"))
        let set = try await Tool.platenctl(
          ["config", "set", "camera.frame_rate", "25", "--if-hash", "ab"],
          socket: server.socketPath)
        #expect(set.exitCode == 0, "\(set.complaint)")
        #expect(set.output.contains("+  frame_rate: 25\n"))
        #expect(set.output.contains("next start of the service"))
        let history = try await Tool.platenctl(["config", "history"], socket: server.socketPath)
        #expect(history.output.contains("good"))
        let network = try await Tool.platenctl(["network"], socket: server.socketPath)
        #expect(network.output.contains("archive: pages.example:443, fails at resolve"))
        let time = try await Tool.platenctl(["time"], socket: server.socketPath)
        #expect(time.output.contains("synchronized, set by timesyncd"))
        let named = try await Tool.platenctl(["time", "show"], socket: server.socketPath)
        #expect(named.output == time.output)
        for tool in [shown, set, history, network, time] {
          #expect(tool.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
      }
      #expect(
        rig.configuration.changes == [
          ConfigurationChange(set: ["camera.frame_rate": "25"], ifHash: "ab")
        ])
    }

    @Test func `without a service the file itself is changed and restored`() async throws {
      try await withFile { run, path in
        let shown = try await run(["show"])
        #expect(shown.exitCode == 0 && shown.output.contains("frame_rate: 30 # lamp"))
        #expect(shown.output.contains("the service does not run"))
        let set = try await run(["set", "camera.frame_rate", "25"])
        #expect(set.exitCode == 0, "\(set.complaint)")
        #expect(text(path) == Self.text.replacing("30 # lamp", with: "25 # lamp"))
        let history = try await run(["history", "--json"])
        let entries = try APICoding.decode(ConfigurationHistory.self, from: history.output.utf8)
        #expect(entries.entries.map(\.number) == [1])
        let diff = try await run(["diff", "1"])
        #expect(diff.output.contains("-  frame_rate: 25 # lamp\n+  frame_rate: 30 # lamp\n"))
        let back = try await run(["rollback"])
        #expect(back.exitCode == 0 && text(path) == Self.text)
      }
    }

    /// Command lines that must fail, and their complaints.
    static let failures: [([String], String)] = [
      (["set", "camera.frame_rate", "900"], "1 to 120"),
      (["set", "camera.color", "1"], "unknown"),
      (["set", "api.password", "hunter2"], "_file"), (["set", "camera", "1"], "one by one"),
      (["set", "camera.zoom", "2", "--if-hash", "00"], "changed meanwhile"),
      (["rollback", "--to", "7"], "number 7"), (["diff", "7"], "number 7"),
    ]

    @Test(arguments: failures)
    func `a refusal is explained and leaves the file`(_ words: [String], _ reason: String)
      async throws
    {
      try await withFile { run, path in
        let tool = try await run(words)
        #expect(tool.exitCode == 1)
        #expect(tool.complaint.contains(reason), "\(tool.complaint)")
        #expect(!tool.complaint.contains("hunter2"))
        #expect(text(path) == Self.text)
      }
    }

    @Test func `a file is checked before it is used`() async throws {
      try await withFile { run, path in
        let good = try await run(["check", path])
        #expect(good.exitCode == 0 && good.output == "in order\n")
        try Data((Self.text + "color: red\n").utf8).write(to: URL(fileURLWithPath: path))
        let bad = try await run(["check", path])
        #expect(bad.exitCode == 1 && bad.output.contains("color"))
        // A caller who may have a file checked need not be one who may read it.
        try Data("hunter2\n".utf8).write(to: URL(fileURLWithPath: path))
        let strange = try await run(["check", path])
        #expect(strange.exitCode == 1 && !(strange.output + strange.complaint).contains("hunter2"))
        #expect(strange.output.contains("expected a section with keys, found text"))
        let gone = try await run(["check", path + ".gone"])
        #expect(gone.exitCode == 1 && gone.complaint.contains("cannot be read"))
      }
    }

    /// The service takes 64 KiB, and a file may be sixteen times as long.
    @Test func `a long file is checked while the service runs`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        try await withTemporaryDirectory { directory in
          let path = directory + "/long.yaml"
          let comment = String(repeating: "# \(String(repeating: "x", count: 97))\n", count: 3000)
          for (extra, code) in [("", Int32(0)), ("color: red\n", 1)] {
            try Data((comment + Self.text + extra).utf8).write(to: URL(fileURLWithPath: path))
            let tool = try await Tool.platenctl(
              ["config", "check", path], socket: server.socketPath)
            #expect(tool.exitCode == code, "\(tool.complaint)")
            #expect(tool.output.contains(code == 0 ? "in order" : "color"), "\(tool.output)")
            #expect(tool.complaint.isEmpty)
          }
          #expect(rig.configuration.checked.isEmpty, "the program has looked at them")
          try Data(Self.text.utf8).write(to: URL(fileURLWithPath: path))
          let short = try await Tool.platenctl(
            ["config", "check", path], socket: server.socketPath)
          #expect(short.exitCode == 0 && rig.configuration.checked == [Self.text])
        }
      }
    }

    @Test func `keys are explained`() async throws {
      try await withFile { run, _ in
        let one = try await run(["explain", "camera.frame_rate"])
        #expect(one.exitCode == 0)
        #expect(one.output.contains("number, 1 to 120 frames a second; default: 30"))
        let all = try await run(["explain"])
        #expect(all.output.split(separator: "\n").count > 300)
        #expect(all.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let none = try await run(["explain", "color"])
        #expect(none.exitCode == 1)
      }
    }
  }
}
