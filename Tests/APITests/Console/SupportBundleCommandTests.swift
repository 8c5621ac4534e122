import API
import Console
import Foundation
import Logging
import Testing
import TestSupport

extension ServerTests {
  /// `platenctl support-bundle`, with tar, sha256sum and base64 as the referees.
  @Suite(.timeLimit(.minutes(10))) struct SupportBundleCommandTests {
    private static let secret = "hunter2-N33dle"

    /// Makes a configuration with a secret in a wrong place.
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

    @Test func `a bundle is a file that tar can read`() async throws {
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

    @Test func `a bundle without the service is complete and holds no secret`() async throws {
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

    @Test func `Base64 is decoded as its heading says`() async throws {
      try await withTemporaryDirectory { directory in
        let config = try configuration(in: directory)
        let tool = try await withServer(FakeRig()) { server in
          try await Tool.platenctl(
            ["support-bundle", "--base64", "--config", config], socket: server.socketPath)
        }
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        let lines = tool.output.split(separator: "\n")
        let command = try #require(lines.first { $0.hasPrefix("# sed") }).dropFirst(2)
        // A recording of the terminal has other text around the bundle.
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
    func `impossible arguments are a usage error`(_ arguments: [String]) async throws {
      let tool = try await Tool.platenctl(["support-bundle"] + arguments, socket: "/nonexistent/s")
      #expect(tool.exitCode == 64, "\(tool.complaint)")
    }

    @Test func `ZMODEM needs a terminal`() async throws {
      let tool = try await Tool.platenctl(["support-bundle", "--zmodem"], socket: "/nonexistent/s")
      #expect(tool.exitCode == 1)
      #expect(tool.complaint.contains("needs a terminal") || tool.complaint.contains("lrzsz"))
    }
  }
}
