import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// The built `platenctl support-bundle --zmodem`, with rz as the referee.
  @Suite(.timeLimit(.minutes(10))) struct PlatenctlZmodemTests {
    private func configuration(in directory: String) throws -> String {
      let config = directory + "/platen.yaml"
      try "rig: { id: rig-9 }\nboard: simulated\nspool: { directory: \(directory) }\n".write(
        toFile: config, atomically: false, encoding: .utf8)
      return config
    }

    private func bash(_ script: String, in directory: String) async throws -> Tool {
      try await Tool.run("/bin/bash", ["-c", "cd \"$0\"; " + script, directory])
    }

    /// `rz` at the other end of a pseudoterminal receives the bundle in both ways.
    @Test(arguments: [false, true])
    func `a ZMODEM transfer is received`(_ isConsole: Bool) async throws {
      try await withTemporaryDirectory { directory in
        let config = try configuration(in: directory)
        // The console has its own configuration file.
        let command = "support-bundle --zmodem" + (isConsole ? "" : " --config \(config)")
        let tool = try await withServer(FakeRig()) { server in
          try await Tool.run(
            "/usr/bin/python3",
            [
              "-c", Self.receiver, directory, try Tool.platenctlPath(), server.socketPath,
              isConsole ? "console" : command, isConsole ? command + "\nexit\n" : "",
            ])
        }
        #expect(tool.exitCode == 0, "\(tool.output) \(tool.complaint)")
        #expect(tool.output.contains("cooked=True"), "\(tool.output)")
        let listing = try await bash("tar -tzf platen-support-*.tar.gz", in: directory)
        #expect(listing.output.contains("manifest.json"), "\(tool.output) \(listing.complaint)")
      }
    }

    /// Without a receiver the user gives up, and the terminal gets its old modes back.
    @Test func `a ZMODEM transfer ends on Ctrl-C`() async throws {
      try await withTemporaryDirectory { directory in
        let config = try configuration(in: directory)
        let program = try TerminalProgram(
          try Tool.platenctlPath(), ["support-bundle", "--zmodem", "--config", config],
          environment: ["PLATEN_SOCKET": directory + "/nobody", "TERM": "vt100"])
        try await program.expect("**\u{18}B00")
        #expect(!program.isCooked)
        program.type("\u{3}")
        #expect(await program.end() == 1)
        try await program.expect("The transfer was interrupted.")
        #expect(program.isCooked)
      }
    }

    /// A program that runs a command on a pseudoterminal, with rz at its other end.
    private static let receiver = """
      import os, pty, sys, termios, select, subprocess
      directory, program, socket, words, typed = sys.argv[1:]
      master, slave = pty.openpty()
      before = termios.tcgetattr(slave)
      child = subprocess.Popen([program] + words.split(), stdin=slave, stdout=slave, stderr=slave,
        env={"PLATEN_SOCKET": socket, "TERM": "dumb", "HOME": directory}, start_new_session=True)
      os.write(master, typed.encode())
      seen, rz, done = b"", None, False
      while True:
        # What a program has written before its end is read after it.
        has_ended = child.poll() is not None
        wanted = [master] + ([rz.stdout] if rz and not done else [])
        ready, _, _ = select.select(wanted, [], [], 0.2)
        if master in ready:
          data = os.read(master, 4096)
          if rz is None:
            seen += data
            if b"**\\x18B00" in seen:
              rz = subprocess.Popen(["/usr/bin/rz", "--binary", "--quiet"], cwd=directory,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
              rz.stdin.write(seen[seen.index(b"**\\x18B00"):])
          elif not done:
            try: rz.stdin.write(data)
            except BrokenPipeError: pass
          else: seen += data
        if rz and not done and rz.stdout in ready:
          data = os.read(rz.stdout.fileno(), 4096)
          if data: os.write(master, data)
          else: done = True
        if has_ended and not ready: break
      after = termios.tcgetattr(slave)
      if rz: rz.stdin.close()
      print("cooked=%s" % (before == after), "rz=%s" % (rz and rz.wait(20)), repr(seen[-300:]))
      sys.exit(child.returncode)
      """
  }
}
