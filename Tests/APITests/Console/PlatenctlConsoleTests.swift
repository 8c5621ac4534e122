import API
import Console
import Foundation
import TestSupport
import Testing

extension ServerTests {
  /// The built `platenctl console` on a real terminal, as a technician uses it.
  @Suite(.timeLimit(.minutes(10))) struct PlatenctlConsoleTests {
    /// The prompt of the fake rig.
    private static let prompt = "rig-7 thermalPressure> "

    private func console(
      _ arguments: [String] = [], terminal: String?, socket: String, home: String = "/proc/none",
      rows: UInt16 = 24
    ) throws -> TerminalProgram {
      var environment = ["PLATEN_SOCKET": socket, "HOME": home, "EDITOR": "/bin/echo"]
      environment["TERM"] = terminal
      return try TerminalProgram(
        try Tool.platenctlPath(), ["console"] + arguments, environment: environment, rows: rows)
    }

    /// Runs a console against the fake rig; at its end the terminal has its old modes.
    private func withConsole(
      _ terminal: String?, rig: FakeRig = FakeRig(), arguments: [String] = [],
      home: String = "/proc/none", rows: UInt16 = 24, status: Int32 = 0,
      _ body: @Sendable (TerminalProgram) async throws -> Void
    ) async throws {
      try await withServer(rig) { server in
        let program = try console(
          arguments, terminal: terminal, socket: server.socketPath, home: home, rows: rows)
        try await program.expect(Self.prompt)
        try await body(program)
        let result = await program.end()
        #expect(result == status, "\(program.shown)")
        #expect(program.isCooked)
      }
    }

    @Test(arguments: ["vt100", "dumb", "no-such-terminal", nil] as [String?])
    func `a technician is greeted, looks and leaves`(_ terminal: String?) async throws {
      try await withConsole(terminal) { program in
        #expect(
          program.shown.contains("rig-7, platend 1.0: thermalPressure (notReadyMomentarily)."))
        program.type("status\r")
        let end = try await program.expect("lights      ready dark")
        try await program.expect(Self.prompt, after: end)
        program.type("exit\r")
      }
    }

    @Test(arguments: ["dumb", "no-such-terminal", nil] as [String?])
    func `a dumb terminal gets no escape sequence`(_ terminal: String?) async throws {
      try await withConsole(terminal) { program in
        program.type("stauts\u{7F}\u{7F}\u{7F}\u{7F}atus\r")
        let end = try await program.expect("lights      ready dark")
        program.type("help spool\rexit\r")
        try await program.expect("USAGE: platenctl spool", after: end)
        _ = await program.end()
        #expect(!program.bytes.contains(0x1B))
      }
    }

    @Test(arguments: ["vt100", "dumb"])
    func `a pasted text is run line by line`(_ terminal: String) async throws {
      let rig = FakeRig()
      let count = 110
      try await withConsole(terminal, rig: rig) { program in
        let padding = String(repeating: " ", count: 920)
        let lines = (1...count).map { "presses --before \($0) --json\(padding)\r" }.joined()
        #expect(lines.utf8.count > 100 * 1024)
        program.type(lines + "exit\r")
      }
      #expect(rig.filters.map(\.before) == (1...count).map { Int64($0) })
    }

    @Test func `lines are edited, completed and explained`() async throws {
      try await withConsole("vt100") { program in
        var end = 0
        // Tab completes, and shows the choices.
        program.type("ses\tsh\t\r")
        end = try await program.expect("readiness   ready", after: end)
        end = try await program.expect(Self.prompt, after: end)
        program.type("spool ?")
        end = try await program.expect("Show everything that is known of a picture.", after: end)
        program.type("st\t\r")
        end = try await program.expect("ballast", after: end)
        end = try await program.expect(Self.prompt, after: end)
        // Letters that libedit would take for keys with Alt, and the arrow keys.
        program.type("\u{E9}\u{F8}\u{D8}\u{1B}[D\u{1B}[D\u{1B}[D\u{1B}[3~\u{8}\r")
        end = try await program.expect("There is no command", after: end)
        end = try await program.expect(Self.prompt, after: end)
        program.type("\u{1B}[A\u{1B}[A\r")
        end = try await program.expect("ballast", after: end)
        end = try await program.expect(Self.prompt, after: end)
        program.type("statsu\r")
        end = try await program.expect("Did you mean \"status\"?", after: end)
        end = try await program.expect(Self.prompt, after: end)
        program.type([0x04])
      }
    }

    @Test func `the editor starts no other program`() async throws {
      try await withConsole("vt100") { program in
        // Alt-x would ask for a command of libedit that can start $EDITOR.
        for key in ["\u{1B}x", "\u{1B}X"] {
          program.type("\(key)bind x vi-histedit\r")
          let end = try await program.expect("There is no command \"bind\"")
          program.type("x\r")
          try await program.expect("There is no command \"x\"", after: end)
        }
        program.type("!sh\r")
        try await program.expect("There is no command \"!sh\"")
        program.type("exit\r")
      }
    }

    @Test(arguments: ["vt100", "dumb"])
    func `noise on the line runs no command`(_ terminal: String) async throws {
      var random = TestSeed.generator()
      // Ctrl-D would rightly end the console.
      let keys: [UInt8] = (UInt8.min...UInt8.max).filter { $0 != 0x04 }
      let noise = (0..<8192).map { _ in keys.randomElement(using: &random) ?? 0 }
      let rig = FakeRig()
      try await withConsole(terminal, rig: rig) { program in
        program.type(noise + Array("\u{3}\u{3}\u{3}\r\rhelp session stop\rexit\r".utf8))
        try await program.expect("USAGE: platenctl session stop")
      }
      #expect(
        rig.commands.isEmpty && rig.capture.calls.isEmpty, "seed \(TestSeed.value)")
    }

    /// Noise may contain Ctrl-S, and a technician may not know that Ctrl-Q resumes the output.
    @Test(arguments: ["vt100", "dumb"])
    func `held output resumes with the next key`(_ terminal: String) async throws {
      try await withConsole(terminal) { program in
        program.type("\u{13}\u{3}help session stop\rexit\r")
        try await program.expect("USAGE: platenctl session stop")
      }
    }

    /// The output is held from its beginning, and no key is typed any more.
    @Test func `held output does not keep the console open`() async throws {
      // Each console waits for its terminal; side by side they wait only once.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for terminal in ["vt100", "dumb"] {
          group.addTask {
            try await withConsole(terminal, arguments: ["--idle-logout", "10s"]) { program in
              program.type("help session stop\r\u{13}")
            }
          }
        }
        try await group.waitForAll()
      }
    }

    @Test func `the programs of the system see the same terminal`() async throws {
      try await withServer(FakeRig()) { server in
        // script(1) has a terminal of its own for the console and passes its input on.
        let tool = try await Tool.run(
          "/bin/bash",
          [
            "-c", "printf 'lights --json\\rexit\\r' | script -qec \"$0 console\" /dev/null",
            try Tool.platenctlPath(),
          ],
          environment: [
            "PLATEN_SOCKET": server.socketPath, "TERM": "dumb", "HOME": "/proc/none",
          ])
        #expect(tool.exitCode == 0)
        #expect(tool.output.contains("powerOffArmed") && tool.output.contains(Self.prompt))
        #expect(!tool.output.unicodeScalars.contains("\u{1B}"))
      }
    }

    @Test(arguments: ["vt100", "dumb"])
    func `Ctrl-C ends a command and drops a line, and Ctrl-D leaves`(_ terminal: String)
      async throws
    {
      try await withConsole(terminal) { program in
        program.type("watch\r")
        var end = try await program.expect("lights      ready dark")
        program.type([0x03])
        end = try await program.expect("Interrupted.", after: end)
        end = try await program.expect(Self.prompt, after: end)
        program.type("watch\r")
        end = try await program.expect("lights      ready dark", after: end)
        program.type("q")
        end = try await program.expect("Interrupted.", after: end)
        end = try await program.expect(Self.prompt, after: end)
        program.type("nonsense")
        end = try await program.expect("nonsense", after: end)
        program.type([0x03])
        end = try await program.expect(Self.prompt, after: end)
        program.signal(SIGINT)
        end = try await program.expect(Self.prompt, after: end)
        program.type([0x04])
        #expect(!program.shown.contains("no command"))
      }
    }

    @Test(arguments: [SIGHUP, SIGTERM])
    func `a signal ends the console and the running command`(_ number: Int32) async throws {
      try await withConsole("vt100", status: 129) { program in
        program.type("watch\r")
        try await program.expect("lights      ready dark")
        program.signal(number)
      }
    }

    @Test(arguments: ["vt100", "dumb"])
    func `a hang-up ends the console and the running command`(_ terminal: String) async throws {
      try await withServer(FakeRig()) { server in
        let program = try console(terminal: terminal, socket: server.socketPath)
        try await program.expect(Self.prompt)
        program.type("watch\r")
        try await program.expect("lights      ready dark")
        program.hangUp()
        let status = await program.end()
        #expect(status == 129)
      }
    }

    @Test func `an interrupting command is confirmed by name`() async throws {
      let rig = FakeRig()
      try await withConsole("vt100", rig: rig) { program in
        program.type("simulate heat 50 --yes\r")
        var end = try await program.expect("Type rig-7 to confirm: ")
        program.type("rig-8\r")
        end = try await program.expect("Not confirmed; nothing was done.", after: end)
        program.type("simulate heat 60\r")
        end = try await program.expect("Type rig-7 to confirm: ", after: end)
        program.type("rig-7\r")
        end = try await program.expect(Self.prompt, after: end)
        program.type("exit\r")
      }
      #expect(rig.commands == [.heat(celsius: 60)])
    }

    /// The console states the effect; without the name this machine keeps its clock.
    @Test func `the clock is only set after the rig's name is typed`() async throws {
      try await withConsole("vt100") { program in
        program.type("time set 2026-11-22 21:30:00Z\r")
        var end = try await program.expect("This sets the rig's clock to 2026-11-22T21:30:00Z")
        end = try await program.expect("Type rig-7 to confirm: ", after: end)
        program.type("yes\r")
        end = try await program.expect("Not confirmed; nothing was done.", after: end)
        program.type("time set 2200-01-01T00:00:00Z\r")
        end = try await program.expect("cannot be: a clock is set", after: end)
        end = try await program.expect(Self.prompt, after: end)
        program.type("exit\r")
      }
    }

    /// An option that confirms elsewhere does not confirm here.
    @Test func `a picture is only deleted by its typed ID`() async throws {
      let rig = FakeRig()
      let item = SpoolSamples.item(1)
      rig.holds(item)
      try await withConsole("vt100", rig: rig) { program in
        var end = 0
        for option in ["", " --confirm \(item.id)", " --yes"] {
          program.type("spool delete \(item.id)\(option)\r")
          end = try await program.expect("Type \(item.id) to confirm: ", after: end)
          program.type("yes\r")
          end = try await program.expect("Not confirmed; nothing was done.", after: end)
        }
        #expect(rig.spool.deleted.isEmpty)
        program.type("spool delete \(item.id) --confirm \(item.id)\r")
        end = try await program.expect("Type \(item.id) to confirm: ", after: end)
        program.type("\(item.id)\r")
        end = try await program.expect("deleted \(item.id)", after: end)
        program.type("exit\r")
      }
      #expect(rig.spool.deleted == [item.id])
    }

    @Test func `a question mark within a word is typed`() async throws {
      let rig = FakeRig()
      try await withConsole("vt100", rig: rig) { program in
        program.type("config set targets.a.url https://h/p?x=1\r")
        // The cursor is placed again before the text that a key inserts.
        var end = try await program.expect("?x=1")
        end = try await program.expect(Self.prompt, after: end)
        program.type("config set targets.a.url https://h/q")
        end = try await program.expect("https://h/q", after: end)
        program.type("?")
        end = try await program.expect("?", after: end)
        program.type("x=2\r")
        end = try await program.expect(Self.prompt, after: end)
        // A pasted question mark asks for no help, even at the beginning of a word.
        program.type("config set targets.a.url ?x=3\r")
        end = try await program.expect("?x=3", after: end)
        end = try await program.expect(Self.prompt, after: end)
        program.type("exit\r")
      }
      #expect(
        rig.configuration.changes.map { $0.set["targets.a.url"] } == [
          "https://h/p?x=1", "https://h/q?x=2", "?x=3",
        ])
    }

    @Test(arguments: ["vt100", "dumb"])
    func `a line that is too long or not UTF-8 is refused`(_ terminal: String) async throws {
      try await withConsole(terminal) { program in
        program.type("status " + String(repeating: "x", count: 20_000) + "\r")
        var end = try await program.expect("longer than 4096 bytes; it was not run.")
        program.type(Array("status ".utf8) + [0xFF, 0xFE] + Array("\r".utf8))
        end = try await program.expect("not UTF-8; it was not run.", after: end)
        program.type("exit\r")
      }
    }

    /// A serial line does not report its height, and a VT100 has 24 rows.
    @Test(arguments: [24, 0] as [UInt16])
    func `a screenful is paged`(_ rows: UInt16) async throws {
      try await withConsole("vt100", rows: rows) { program in
        program.type("lights\r")
        var end = try await program.expect("--More--")
        program.type(" ")
        end = try await program.expect("--More--", after: end)
        program.type("q")
        end = try await program.expect(Self.prompt, after: end)
        #expect(!program.shown.contains("three flashes"))
        program.type("exit\r")
      }
    }

    @Test func `a terminal without editing is not paged at any height`() async throws {
      try await withConsole("dumb", rows: 0) { program in
        program.type("lights\rexit\r")
        try await program.expect("three flashes")
        #expect(!program.shown.contains("--More--"))
      }
    }

    @Test func `the history is kept in the user's folder`() async throws {
      try await withTemporaryDirectory { home in
        try await withConsole("vt100", home: home) { program in
          program.type("status\r")
          _ = try await program.expect(Self.prompt, after: try await program.expect("lights  "))
          program.type("qexit\u{1}\u{4}\r")
        }
        let path = home + "/.local/state/platen/console-history"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "status\nexit\n")
      }
    }

    @Test func `a missing service is reported and the console goes on`() async throws {
      let program = try console(terminal: "dumb", socket: "/nonexistent/s")
      try await program.expect("no service> ")
      #expect(program.shown.contains("The service does not answer on"))
      program.type("lights --json\rstatus\rexit\r")
      try await program.expect("does not answer", after: try await program.expect("power goes"))
      let status = await program.end()
      #expect(status == 0)
    }

    @Test func `a service that does not answer does not hold up the prompt`() async throws {
      try await withTemporaryDirectory { directory in
        let silent = try SilentSocket(at: directory + "/s")
        defer { withExtendedLifetime(silent) {} }
        let program = try console(terminal: "dumb", socket: silent.path)
        // A request itself has a timeout of one minute: longer than this test may take.
        try await program.expect("no service> ")
        #expect(program.shown.contains("The service did not answer on"))
        program.type("exit\r")
        let status = await program.end()
        #expect(status == 0)
      }
    }
  }
}
