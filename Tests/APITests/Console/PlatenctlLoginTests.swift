import API
import Console
import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// The built `platenctl` as a login shell, as a program's counterpart, and as a package needs it.
  @Suite(.timeLimit(.minutes(10))) struct PlatenctlLoginTests {
    /// Starts `platenctl` under another name, as login(1) and sshd(8) do.
    private func shell(
      _ name: String, _ arguments: [String], socket: String = "/nonexistent/s"
    ) async throws -> Tool {
      try await Tool.run(
        "/bin/bash",
        ["-c", "exec -a \"$1\" \"$0\" \"${@:2}\"", try Tool.platenctlPath(), name] + arguments,
        environment: ["PLATEN_SOCKET": socket])
    }

    @Test(arguments: ["-platen-console", "platen-console", "/usr/bin/platen-console", "-sh"])
    func `a login shell runs one command`(_ name: String) async throws {
      try await withServer(FakeRig()) { server in
        let tool = try await shell(
          name, ["-c", "presses 'list' --json"], socket: server.socketPath)
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        let own = try await shell(name, ["-c", "platenctl status"], socket: server.socketPath)
        #expect(own.output.contains("rig-7"))
      }
    }

    @Test func `a login shell without a command is the console`() async throws {
      // The input is at its end.
      let tool = try await shell("-platen-console", [])
      #expect(tool.exitCode == 0 && tool.output.isEmpty && tool.complaint.isEmpty)
    }

    /// A test jig logs in on a line, which is a terminal.
    @Test func `a program logs in on a line`() async throws {
      try await withServer(FakeRig()) { server in
        let program = try TerminalProgram(
          "/bin/bash",
          ["-c", "exec -a -platen-jsonl \"$0\"", try Tool.platenctlPath()],
          environment: ["PLATEN_SOCKET": server.socketPath, "TERM": "vt100"])
        program.type(#"{"id":1,"command":["status"]}"# + "\n")
        let first = try await program.expect(#"{"id":1,"#)
        let status = try await program.expect(#""status":0}"#, after: first)
        // From here on the terminal is raw: no echo, and longer lines than the kernel's.
        let name = String(repeating: "x", count: 6000)
        program.type(#"{"id":"\#(name)","command":["lights"]}"# + "\r")
        let second = try await program.expect(#"{"id":"\#(name)","#, after: status)
        try await program.expect(#""status":0}"#, after: second)
        program.hangUp()
        #expect(!program.bytes[status...].contains("command".utf8))
        #expect(await program.end() == 129)
      }
    }

    @Test(arguments: ["{\"command\":[\"exit\"]}\r", "\u{4}"])
    func `a program can leave a line`(_ keys: String) async throws {
      let program = try TerminalProgram(
        "/bin/bash", ["-c", "exec -a -platen-jsonl \"$0\"", try Tool.platenctlPath()],
        environment: ["PLATEN_SOCKET": "/nonexistent/s", "TERM": "vt100"])
      program.type(#"{"id":1,"command":["lights"]}"# + "\n")
      try await program.expect(#""status":0}"#)
      program.type(keys)
      #expect(await program.end() == 0)
      #expect(program.isCooked)
    }

    /// A line that its user leaves without a logout has no other end.
    @Test func `a silent program is logged out`() async throws {
      let program = try TerminalProgram(
        try Tool.platenctlPath(), ["console", "--jsonl", "--idle-logout", "1s"],
        environment: ["PLATEN_SOCKET": "/nonexistent/s", "TERM": "vt100"])
      #expect(await program.end() == 0)
      #expect(program.isCooked && program.shown.isEmpty)
    }

    @Test(
      arguments: [
        ["-c", "sh"], ["-c", "/usr/lib/openssh/sftp-server"], ["-c", "scp -t /tmp"],
        ["-c", "lights; touch /tmp/x"], ["-c", "lights | sh"], ["-c", "lights $(id)"],
        ["-c", "lights `id`"], ["-c", "lights\nid"], ["-c", "lights 'x"], ["-c", ""], ["-c"],
        ["-i"], ["-c", "lights", "id"], ["-l", "-c", "lights"], ["script"],
      ])
    func `a login shell runs no other program`(_ arguments: [String]) async throws {
      let tool = try await shell("-platen-console", arguments)
      #expect(tool.exitCode == 64 && tool.output.isEmpty, "\(tool.output)")
      #expect(!tool.complaint.isEmpty && !tool.complaint.contains("uid="))
    }

    @Test func `a program gets exactly one answer for each line`() async throws {
      let rig = FakeRig()
      let requests = [
        #"{"id":1,"command":["status"]}"#, #"{"id":2,"command":["simulate","heat","50"]}"#,
        #"{"id":3,"command":["simulate","heat","60"],"confirm":"rig-7"}"#, "nonsense",
        #"{"id":4,"command":["press"]}"#, #"{"id":5,"command":["presses","show","9"]}"#,
        #"{"id":6,"command":["lights"]}"#, #"{"id":7,"command":["console"]}"#,
        #"{"id":8,"command":["watch"]}"#,
      ]
      let answers = try await withServer(rig) { server in
        try await withTemporaryDirectory { directory in
          let path = directory + "/requests"
          try requests.joined(separator: "\n").write(
            toFile: path, atomically: false, encoding: .utf8)
          let tool = try await Tool.run(
            "/bin/bash", ["-c", "\"$0\" console --jsonl < \"$1\"", try Tool.platenctlPath(), path],
            environment: ["PLATEN_SOCKET": server.socketPath])
          #expect(tool.exitCode == 0 && tool.complaint.isEmpty, "\(tool.complaint)")
          return try tool.output.split(separator: "\n").map {
            try APICoding.decode(ConsoleAnswer.self, from: $0.utf8)
          }
        }
      }
      #expect(answers.map(\.status) == [0, 64, 0, 64, 64, 1, 0, 64, 64])
      #expect(
        answers.map(\.error?.code) == [
          nil, "confirmation", nil, "usage", "usage", "notFound", nil, "usage", "usage",
        ])
      let status = try APICoding.decode(
        RigStatus.self, from: try APICoding.encode(try #require(answers.first?.output.first)))
      #expect(status == Samples.status)
      #expect(rig.commands == [.heat(celsius: 60)])
      #expect(answers[6].output.count == LightTable().rows.count)
      #expect(answers[4].error?.message.contains("Did you mean \"presses\"") == true)
    }

    @Test func `an unreachable service is reported to a program`() async throws {
      let tool = try await Tool.run(
        "/bin/bash",
        [
          "-c",
          "echo '{\"command\":[\"status\"]}' | \"$0\" console --jsonl --socket /nonexistent/s",
          try Tool.platenctlPath(),
        ])
      let answer = try APICoding.decode(ConsoleAnswer.self, from: tool.output.utf8)
      #expect(answer.status == 69 && answer.error?.code == "unreachable")
    }

    @Test func `the manual page has no faults`() async throws {
      let page = try await Tool.platenctl(["manual"], socket: "/nonexistent/s")
      #expect(page.exitCode == 0)
      for word in [".TH PLATENCTL 1", ".SS spool delete", "\\-\\-idle\\-logout", "PLATEN_SOCKET"] {
        #expect(page.output.contains(word), "\(word) is missing")
      }
      #expect(!page.output.contains(".SS manual"))
      try await withTemporaryDirectory { directory in
        let path = directory + "/platenctl.1"
        try page.output.write(toFile: path, atomically: false, encoding: .utf8)
        let groff = try await Tool.run(
          "/usr/bin/groff", ["-man", "-Tutf8", "-ww", "-z", path],
          environment: ["LC_ALL": "C.UTF-8"])
        #expect(groff.exitCode == 0 && groff.complaint.isEmpty, "\(groff.complaint)")
      }
    }

    /// Returns bash's completions after some words, the last of which may be empty.
    private func completions(of line: String, _ script: String) async throws -> [String] {
      let driver = """
        COMP_WORDS=($LINE); [[ $LINE != *" " ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$LINE; COMP_POINT=${#LINE}; COMP_TYPE=9
        function=$(complete -p platenctl | sed -n 's/.* -F \\([^ ]*\\).*/\\1/p')
        "$function" platenctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let tool = try await Tool.run(
        "/bin/bash", ["-c", script + "\n" + driver], environment: ["LINE": line])
      #expect(tool.exitCode == 0, "\(tool.complaint)")
      return tool.output.split(separator: "\n").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }

    /// Every command that ends by itself prints JSON on request.
    @Test func `every command has a JSON form`() async throws {
      let dump = try await Tool.platenctl(["--experimental-dump-help"], socket: "/nonexistent/s")
      func ends(_ tree: CommandTree, _ path: [String]) -> [[String]] {
        let shown = tree.shown.filter { $0.commandName != "help" }
        guard shown.isEmpty else { return shown.flatMap { ends($0, path + [$0.commandName]) } }
        let names = (tree.arguments ?? []).flatMap { $0.names ?? [] }.map(\.typed)
        return names.contains("--json") ? [] : [path]
      }
      #expect(ends(try CommandTree.read(dump.output), []) == [["console"]])
    }

    @Test func `the completion script works in bash`() async throws {
      let script = try await Tool.platenctl(
        ["--generate-completion-script", "bash"], socket: "/nonexistent/s")
      #expect(script.exitCode == 0 && script.output.contains("lost-edges"))
      try await withTemporaryDirectory { directory in
        let path = directory + "/completion"
        try script.output.write(toFile: path, atomically: false, encoding: .utf8)
        let check = try await Tool.run("/bin/bash", ["-n", path])
        #expect(check.exitCode == 0, "\(check.complaint)")
      }
      for (words, word) in [
        ("platenctl spo", "spool"), ("platenctl spool ver", "verify"),
        ("platenctl service ", "restart"), ("platenctl support-bundle --zm", "--zmodem"),
      ] {
        #expect(try await completions(of: words, script.output).contains(word), "\(words)")
      }
      for shell in ["zsh", "fish"] {
        let other = try await Tool.platenctl(
          ["--generate-completion-script", shell], socket: "/nonexistent/s")
        #expect(other.exitCode == 0 && other.output.contains("lost-edges"))
      }
    }
  }
}
