import API
import Foundation
import Testing

extension ServerTests {
  /// What can be looked at with the built `platenctl` while the service is down, or starts again and
  /// again.
  @Suite(.timeLimit(.minutes(2))) struct PlatenctlWithoutServiceTests {
    private static let text = """
      rig: { id: rig-9 }
      board: simulated
      spool: { directory: DIRECTORY }

      """

    /// A rig whose service answers nothing: a socket without anybody, or one that breaks off.
    private func withRig(
      isBroken: Bool,
      _ body: (_ run: ([String]) async throws -> Tool, _ config: String) async throws -> Void
    ) async throws {
      try await withTemporaryDirectory { directory in
        let config = directory + "/platen.yaml"
        let text = Self.text.replacing("DIRECTORY", with: directory)
        try Data(text.utf8).write(to: URL(fileURLWithPath: config))
        let socket = directory + "/s"
        let service = try isBroken ? BrokenService(at: socket) : nil
        try await body({ try await Tool.platenctl($0, socket: socket) }, config)
        withExtendedLifetime(service) {}
      }
    }

    @Test(arguments: [false, true])
    func whatCanBeSeenIsShown(_ isBroken: Bool) async throws {
      try await withRig(isBroken: isBroken) { run, config in
        let network = try await run(["network", "--json", "--config", config])
        #expect(network.exitCode == 0, "\(network.complaint)")
        #expect(network.complaint.contains("the service does not answer"))
        _ = try APICoding.decode(NetworkReport.self, from: network.output.utf8)
        let time = try await run(["time", "--json"])
        #expect(time.exitCode == 0, "\(time.complaint)")
        let report = try APICoding.decode(TimeReport.self, from: time.output.utf8)
        #expect(report.monotonicNanoseconds > 0)
        let audit = try await run(["audit", "--config", config])
        #expect(audit.exitCode == 0 && audit.complaint.contains("reading its file"))
        for words in [["show"], ["history"], ["check", config]] {
          let tool = try await run(["config"] + words + ["--config", config])
          #expect(tool.exitCode == 0, "\(words): \(tool.complaint)")
        }
      }
    }

    /// An answer that did not come may be that of a change which was made.
    @Test func anActIsNotDoneTwice() async throws {
      try await withRig(isBroken: true) { run, config in
        let set = try await run(
          ["config", "set", "camera.frame_rate", "25", "--config", config])
        #expect(set.exitCode == 69 && set.complaint.contains("broke"), "\(set.complaint)")
        let file = try String(contentsOfFile: config, encoding: .utf8)
        #expect(!file.contains("frame_rate"))
      }
    }

    /// What the journal of this machine has, if it has one, is not the point.
    @Test(arguments: [false, true])
    func theLogIsTheJournal(_ isBroken: Bool) async throws {
      try await withRig(isBroken: isBroken) { run, _ in
        let log = try await run(["log", "--level", "error", "--limit", "5"])
        #expect(log.complaint.contains("the service does not answer"))
        #expect(log.complaint.contains("this is the journal"))
        #expect([0, 69].contains(log.exitCode))
        let journal = try await run(["log", "--journal"])
        #expect(!journal.complaint.contains("the service does not answer"))
        #expect([0, 69].contains(journal.exitCode))
      }
    }
  }
}
