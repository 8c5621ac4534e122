import Testing
import TestSupport

extension ServerTests {
  /// Progress and questions of the built `platenctl` on a terminal.
  @Suite(.timeLimit(.minutes(10))) struct PlatenctlTerminalTests {
    private func terminal(_ words: [String], socket: String) throws -> TerminalProgram {
      try TerminalProgram(
        try Tool.platenctlPath(), words,
        environment: ["PLATEN_SOCKET": socket, "HOME": "/proc/none", "TERM": "vt100"])
    }

    @Test(arguments: [false, true])
    func `a slow picture is waited for with a sign of progress`(inConsole: Bool) async throws {
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      try await withServer(FakeRig(gate: gate)) { server in
        let program = try terminal(inConsole ? ["console"] : ["shoot"], socket: server.socketPath)
        if inConsole {
          try await program.expect("thermalPressure> ")
          program.type("shoot\r")
        }
        let begun = try await program.expect("taking a picture  ")
        opener.finish()
        // The sign is erased before the result is shown in its place.
        let end = try await program.expect(" \rpress 42", after: begun)
        if inConsole {
          try await program.expect("thermalPressure> ", after: end)
          program.type("exit\r")
        }
        let status = await program.end()
        #expect(status == 0, "\(program.shown)")
      }
    }

    /// On a terminal a person answers, and the light goes out with the answer.
    @Test(arguments: [false, true]) func `a person is asked`(inConsole: Bool) async throws {
      let rig = FakeRig()
      rig.editTests { $0.holdsLight = true }
      try await withServer(rig) { server in
        let words = ["test", "leds", "--light", "ready", "--timeout", "60"]
        let program = try TerminalProgram(
          try Tool.platenctlPath(), inConsole ? ["console"] : words,
          environment: ["PLATEN_SOCKET": server.socketPath, "HOME": "/proc/none", "TERM": "dumb"],
          rows: 24)
        if inConsole { program.type(words.joined(separator: " ") + "\r") }
        let end = try await program.expect(
          "Does the light \"ready\" (rig:green:ready) blink, and no other? [yes/no] ")
        program.type("yes\r")
        let after = try await program.expect("PASS     leds ready", after: end)
        if inConsole {
          try await program.expect("> ", after: after)
          program.type("exit\r")
        }
        let status = await program.end()
        #expect(status == 0, "\(program.shown)")
        // The light was lit, and is dark again.
        var entries = rig.entered.makeAsyncIterator()
        await entries.next()
        await entries.next()
        #expect(rig.tests.abandonedLights == 1)
        #expect(!program.bytes.contains(0x1B))
      }
    }

    /// A technician who has to act now is not kept waiting for a key.
    @Test func `a test is not paged`() async throws {
      try await withServer(FakeRig()) { server in
        let program = try TerminalProgram(
          try Tool.platenctlPath(), ["console"],
          environment: ["PLATEN_SOCKET": server.socketPath, "HOME": "/proc/none", "TERM": "dumb"],
          rows: 4)
        program.type("test storage\r")
        let end = try await program.expect("4 KiB are on stable storage after 4.5 ms")
        try await program.expect("> ", after: end)
        program.type("exit\r")
        let status = await program.end()
        #expect(status == 0 && !program.shown.contains("--More--"))
      }
    }
  }
}
