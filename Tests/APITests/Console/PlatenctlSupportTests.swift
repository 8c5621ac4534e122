import API
import Console
import Foundation
import Logging
import Testing

extension ServerTests {
  /// The built `platenctl support-bundle`, with tar, sha256sum, base64 and rz as the referees.
  @Suite(.timeLimit(.minutes(10))) struct PlatenctlSupportTests {
    private static let secret = "hunter2-N33dle"

    /// A configuration with a secret where none should be.
    private func configuration(in directory: String) throws -> String {
      let config = directory + "/platen.yaml"
      try Data(
        """
        rig: { id: rig-9 }
        board: simulated
        spool: { directory: \(directory) }
        targets:
          # url: https://bob:\(Self.secret)@host/x
          archive: { kind: put, url: "https://archive.invalid/x" }
        # password: \(Self.secret)
        """.utf8
      ).write(to: URL(fileURLWithPath: config))
      return config
    }

    private func bash(_ script: String, in directory: String, _ arguments: String...) async throws
      -> Tool
    {
      try await Tool.run("/bin/bash", ["-c", "cd \"$0\"; " + script, directory] + arguments)
    }

    @Test func aBundleIsAFileThatTarCanRead() async throws {
      try await withTemporaryDirectory { directory in
        let config = try configuration(in: directory)
        let (audit, log) = (MemoryAuditLog(), FakeLog())
        log.add(
          .error, "platend", "no delivery to https://bob:\(Self.secret)@host/",
          ["token": Self.secret, "error": "password=\(Self.secret)"])
        let tool = try await withServer(FakeRig(), auditLog: audit, log: log) { server in
          try await Tool.platenctl(
            ["support-bundle", "--output", directory + "/b.tgz", "--config", config],
            socket: server.socketPath)
        }
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        #expect(tool.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(audit.notes.contains { $0.path == "/v1/audit" && $0.stage == .began })
        let listing = try await bash("stat -c %a b.tgz; tar -tzf b.tgz", in: directory)
        #expect(listing.exitCode == 0 && listing.output.hasPrefix("600\n"), "\(listing.complaint)")
        for name in [
          "status.json", "doctor.json", "log.jsonl", "audit.jsonl", "presses.jsonl", "spool.json",
          "configuration.yaml", "metrics.txt", "versions.txt", "manifest.json", "network.json",
          "time.json", "spool-verification.json", "configuration-history.txt",
        ] {
          #expect(listing.output.contains("/\(name)\n"), "\(name) is missing")
        }
        // The manifest's sums are those of the files, by sha256sum.
        let sums = try await bash(
          """
          tar -xzf b.tgz && cd platen-support-* && python3 -c 'import json
          for p in json.load(open("manifest.json"))["parts"]: print(p["sha256"], "", p["name"])' \
          | sha256sum -c --quiet --strict && stat -c %s status.json && cat status.json
          """, in: directory)
        #expect(sums.exitCode == 0, "\(sums.complaint)")
        #expect(sums.output.contains("rig-7"))
        let everything = try await bash("cat platen-support-*/*", in: directory)
        #expect(everything.output.contains("no delivery to https://(redacted)@host/"))
        #expect(!everything.output.contains("N33dle"))
        let again = try await Tool.platenctl(
          ["support-bundle", "--output", directory + "/b.tgz", "--config", config],
          socket: directory + "/nobody")
        #expect(again.exitCode == 1 && again.complaint.contains("is there already"))
        let left = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(left.allSatisfy { !$0.hasSuffix(".part") }, "\(left)")
      }
    }

    @Test func withoutTheServiceThereIsABundleAllTheSameAndNoSecret() async throws {
      try await withTemporaryDirectory { directory in
        let config = try configuration(in: directory)
        let entry =
          #"{"bootID":"b","monotonicNanoseconds":1,"note":{"caller":{"from":"unix"},"method":"POST","#
          + #""path":"/v1/x?token=\#(Self.secret)","request":1,"run":"r","stage":"began"},"#
          + #""time":"2026-11-22T10:00:00.000Z","trust":"estimated"}"#
        try Data((entry + "\n").utf8).write(to: URL(fileURLWithPath: directory + "/audit.jsonl"))
        let tool = try await Tool.platenctl(
          ["support-bundle", "--output", directory, "--config", config, "--json"],
          socket: directory + "/nobody")
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        #expect(tool.output.contains("\"path\":\"\(directory)/platen-support-"))
        let content = try await bash(
          "tar -xzf platen-support-*.tar.gz && cd platen-support-*/ && ls && cat *", in: directory)
        for name in [
          "doctor.json", "network.json", "time.json", "configuration.yaml", "audit.jsonl",
        ] {
          #expect(content.output.contains("\(name)\n"), "\(name) is missing")
        }
        #expect(content.output.contains("/v1/x?token=(redacted)"))
        #expect(
          content.output.contains("\"status.json\"") && content.output.contains("does not answer"))
        #expect(!content.output.contains("N33dle"))
      }
    }

    @Test func base64IsDecodedAsItsHeadingSays() async throws {
      try await withTemporaryDirectory { directory in
        let config = try configuration(in: directory)
        let tool = try await withServer(FakeRig()) { server in
          try await Tool.platenctl(
            ["support-bundle", "--base64", "--config", config], socket: server.socketPath)
        }
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        let lines = tool.output.split(separator: "\n")
        let command = try #require(lines.first { $0.hasPrefix("# sed") }).dropFirst(2)
        // A recorder writes what a terminal sends, and what stands around it.
        let log = "noise\r\n" + lines.map { $0 + "\r\n" }.joined() + "rig-7 ready> \r\n"
        try Data(log.utf8).write(to: URL(fileURLWithPath: directory + "/LOG"))
        let decoded = try await bash(
          "set -o pipefail; \(command) && tail -n 2 LOG | head -n 1 | tr -d '\\r' "
            + "| sha256sum -c --strict && tar -tzf *.tar.gz", in: directory)
        #expect(decoded.exitCode == 0, "\(decoded.complaint)")
        #expect(decoded.output.contains("manifest.json"))
        let wide = lines.filter { $0.count > 80 }
        #expect(wide.isEmpty)
      }
    }

    @Test(arguments: [
      ["--base64", "--zmodem"], ["--output", "x", "--base64"], ["--base64", "--json"],
    ])
    func whatCannotBeIsWrongUsage(_ arguments: [String]) async throws {
      let tool = try await Tool.platenctl(["support-bundle"] + arguments, socket: "/nonexistent/s")
      #expect(tool.exitCode == 64, "\(tool.complaint)")
    }

    @Test func zmodemNeedsATerminal() async throws {
      let tool = try await Tool.platenctl(["support-bundle", "--zmodem"], socket: "/nonexistent/s")
      #expect(tool.exitCode == 1)
      #expect(tool.complaint.contains("needs a terminal") || tool.complaint.contains("lrzsz"))
    }

    /// `rz` at the other end of a pseudoterminal gets it, from the command and from the console.
    @Test(
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/rz"), "needs lrzsz"),
      arguments: [false, true])
    func zmodemIsReceived(_ isConsole: Bool) async throws {
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

    /// Nobody receives, and whoever waits gives up: the terminal is as it was.
    @Test(
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sz"), "needs lrzsz"))
    func zmodemEndsOnControlC() async throws {
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

    /// Runs a command on a pseudoterminal, and rz at its other end once ZMODEM begins.
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
        if child.poll() is not None and not ready: break
      after = termios.tcgetattr(slave)
      print("cooked=%s" % (before == after), "rz=%s" % (rz and rz.wait(20)), repr(seen[-300:]))
      sys.exit(child.returncode)
      """
  }
}
