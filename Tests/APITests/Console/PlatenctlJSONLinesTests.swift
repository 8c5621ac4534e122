import API
import Console
import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// The refusals of a console: the built `platenctl console`, for a program and for a person.
  @Suite(.timeLimit(.minutes(10))) struct PlatenctlJSONLinesTests {
    /// Returns the answers of a console for programs to commands.
    private func answers(
      _ commands: [[String]], socket: String = "/nonexistent/s"
    ) async throws -> [ConsoleAnswer] {
      try await withTemporaryDirectory { directory in
        let path = directory + "/requests"
        let lines = try commands.map {
          String(decoding: try APICoding.encode(["command": $0]), as: UTF8.self) + "\n"
        }
        try lines.joined().write(toFile: path, atomically: false, encoding: .utf8)
        let tool = try await Tool.run(
          "/bin/bash", ["-c", "\"$0\" console --jsonl < \"$1\"", try Tool.platenctlPath(), path],
          environment: ["PLATEN_SOCKET": socket])
        return try tool.output.split(separator: "\n").map {
          try APICoding.decode(ConsoleAnswer.self, from: $0.utf8)
        }
      }
    }

    /// Returns the commands of a tree that have the option `--follow`.
    private func following(_ tree: CommandTree, _ path: [String] = []) -> [[String]] {
      let names = (tree.arguments ?? []).flatMap { $0.names ?? [] }.map(\.typed)
      return (names.contains("--follow") ? [path + ["--follow"]] : [])
        + tree.shown.flatMap { following($0, path + [$0.commandName]) }
    }

    @Test func `an endless command is refused`() async throws {
      let dump = try await Tool.platenctl(["--experimental-dump-help"], socket: "/nonexistent/s")
      let found = following(try CommandTree.read(dump.output))
      #expect(
        found.contains(["log", "--follow"]) && found.contains(["presses", "list", "--follow"]))
      let others = [["watch"], ["log", "--follow", "--journal"]]
      let refusals = try await answers(found + others)
      #expect(refusals.count == found.count + others.count)
      for (command, answer) in zip(found + others, refusals) {
        #expect(answer.status == 64 && answer.error?.code == "usage", "\(command)")
        #expect(answer.error?.message.contains("has no end") == true, "\(command)")
      }
    }

    /// Returns command lines that would have a console show a file, or believe another service.
    private static func ways(to path: String) -> [[String]] {
      [
        ["config", "show", "--config", path], ["config", "--config=\(path)", "show"],
        ["config", "show", "--socket", "/nonexistent/s", "--config", path],
        ["doctor", "--config", path], ["audit", "--config", path], ["network", "--config", path],
        ["support-bundle", "--output", "/nonexistent", "--config", path],
        ["spool", "export", "/tmp", "--config", path],
        ["status", "--socket", path], ["status", "--socket=\(path)"],
      ]
    }

    @Test func `a console has its own service and file`() async throws {
      try await withTemporaryDirectory { directory in
        let path = directory + "/secret"
        try Data("rig: { id: hunter2 }\n".utf8).write(to: URL(fileURLWithPath: path))
        let ways = Self.ways(to: path)
        for answer in try await answers(ways) {
          #expect(answer.status == 64 && answer.error?.code == "usage" && answer.output.isEmpty)
          #expect(answer.error?.message.contains("is settled here") == true)
        }
        // The same holds for a login shell that gets a command.
        for words in ways {
          let tool = try await Tool.run(
            "/bin/bash",
            [
              "-c", "exec -a -platen-console \"$0\" -c \"$1\"", try Tool.platenctlPath(),
              words.joined(separator: " "),
            ])
          #expect(tool.exitCode == 64 && tool.complaint.contains("is settled here"), "\(words)")
          #expect(!tool.output.contains("hunter2"))
        }
        let outside = try await Tool.platenctl(
          ["config", "show", "--config", path], socket: "/nonexistent/s")
        #expect(outside.exitCode == 0 && outside.output.contains("hunter2"))
      }
      let explained = try await answers([["config", "explain", "--", "--config"]])
      #expect(explained.map(\.status) == [1], "that is no option")
    }

    /// The answers are JSON with and without the option.
    @Test(arguments: [[], ["--json"]] as [[String]])
    func `a command that needs no service is answered in JSON`(_ options: [String]) async throws {
      let commands = [["token"], ["config", "explain", "camera.frame_rate"], ["lights"]]
      let all = try await answers(commands.map { $0 + options })
      #expect(all.map(\.status) == [0, 0, 0])
      let keys = all.map { answer -> Set<String> in
        guard case .object(let object)? = answer.output.first else { return [] }
        return Set(object.keys)
      }
      #expect(keys.first == ["hash", "token"], "\(all)")
      #expect(keys.allSatisfy { !$0.isEmpty && $0 != ["text"] }, "\(keys)")
    }

    @Test func `a person gets the same refusals`() async throws {
      let program = try TerminalProgram(
        try Tool.platenctlPath(), ["console"],
        environment: ["PLATEN_SOCKET": "/nonexistent/s", "TERM": "dumb", "HOME": "/proc/none"])
      try await program.expect("no service> ")
      program.type("config show --config /etc/hostname\r")
      var end = try await program.expect("--config is settled here")
      program.type("config check -\r")
      end = try await program.expect("is the console's own", after: end)
      program.type("config check /dev/zero\r")
      end = try await program.expect("it is no plain file", after: end)
      program.type("exit\r")
      let status = await program.end()
      #expect(status == 0)
    }
  }
}
