import Testing

extension ServerTests {
  /// What the built `platenctl` shows on a terminal while something takes a while.
  @Suite(.timeLimit(.minutes(10))) struct PlatenctlProgressTests {
    private func terminal(_ words: [String], socket: String) throws -> TerminalProgram {
      try TerminalProgram(
        try Tool.platenctlPath(), words,
        environment: ["PLATEN_SOCKET": socket, "HOME": "/proc/none", "TERM": "vt100"])
    }

    @Test(arguments: [false, true])
    func aPictureThatTakesLongIsWaitedForWithASign(inConsole: Bool) async throws {
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      try await withServer(FakeRig(gate: gate)) { server in
        let program = try terminal(inConsole ? ["console"] : ["shoot"], socket: server.socketPath)
        if inConsole {
          try await program.expect("thermalPressure> ")
          program.type("shoot\r")
        }
        let begun = try await program.expect("taking a picture  ")
        opener.finish()
        // It is taken away before what came of it is shown in its place.
        let end = try await program.expect(" \rpress 42", after: begun)
        if inConsole {
          try await program.expect("thermalPressure> ", after: end)
          program.type("exit\r")
        }
        let status = await program.end()
        #expect(status == 0, "\(program.shown)")
      }
    }

    /// Nobody looks at a file or a pipe, and a program wants its JSON and nothing else.
    @Test(arguments: [[], ["--json"]] as [[String]])
    func elsewhereNothingOfItIsShown(_ options: [String]) async throws {
      try await withServer(FakeRig()) { server in
        let tool = try await Tool.platenctl(
          ["shoot", "--count", "3"] + options, socket: server.socketPath)
        #expect(tool.exitCode == 0 && tool.complaint.isEmpty, "\(tool.complaint)")
        #expect(tool.output.split(separator: "\n").count == 3)
      }
    }
  }
}
