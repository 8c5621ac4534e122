import API
import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// Commands of `platenctl` while the service is down or restarts again and again.
  @Suite(.timeLimit(.minutes(10))) struct CommandsWithoutServiceTests {
    private static let text = """
      rig: { id: rig-9 }
      board: simulated
      spool: { directory: DIRECTORY }

      """

    /// Makes a rig whose service does not answer: an unused socket, or one that breaks off.
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
    func `network time and audit log are shown without the service`(_ isBroken: Bool) async throws {
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

    /// Puts a picture into a closed spool, as the spool itself would.
    private func store(_ number: Int, in directory: String) async throws -> String {
      let name = "000001-000000000\(number)-9f86d081884c7d65"
      let path = directory + "/items/65/" + name
      try FileManager.default.createDirectory(
        atPath: directory + "/items/65", withIntermediateDirectories: true)
      try Data("picture \(number)".utf8).write(to: URL(fileURLWithPath: path + ".jpg"))
      let digest = try await Tool.run("/usr/bin/sha256sum", [path + ".jpg"]).output.prefix(64)
      let sidecar = """
        {"schema":1,"id":"\(name)","fileExtension":"jpg","bytes":9,"sha256":"\(digest)",\
        "remoteName":"rig-9/\(name).jpg","targets":["unassigned"],\
        "metadata":{"rigID":"rig-9","captured":{"wallTrust":"unknown"}}}
        """
      try Data(sidecar.utf8).write(to: URL(fileURLWithPath: path + ".json"))
      return name
    }

    /// A service whose disk fails ends, so no API returns its pictures any more.
    @Test(arguments: [false, true])
    func `pictures are copied directly from the files`(_ isBroken: Bool) async throws {
      try await withRig(isBroken: isBroken) { run, config in
        let directory = String(config.dropLast("/platen.yaml".count))
        let target = directory + "/drive"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        let (good, bad) = (try await store(1, in: directory), try await store(2, in: directory))
        let bytes = Data("picture 3".utf8)
        try bytes.write(to: URL(fileURLWithPath: directory + "/items/65/\(bad).jpg"))
        let tool = try await run(["spool", "export", target, "--config", config])
        #expect(tool.exitCode == 1)
        #expect(tool.complaint.contains("; copying its files"))
        #expect(tool.complaint.contains("\(bad).jpg\" is damaged"), "\(tool.complaint)")
        #expect(
          tool.output == """
            \(good).jpg copied, 9 B
            1 picture copied, 0 were there already, 1 could not be copied
            Without the index nobody knows which of them were delivered already.

            """)
        let names = try FileManager.default.contentsOfDirectory(atPath: target).sorted()
        #expect(names == ["\(good).jpg", "\(good).json"])
        try FileManager.default.removeItem(atPath: directory + "/items/65/\(bad).jpg")
        let json = try await run(["spool", "export", target, "--json", "--config", config])
        let lines = json.output.split(separator: "\n")
        #expect(json.exitCode == 0 && lines.count == 2, "\(json.complaint)")
        let summary = try APICoding.decode(SpoolCopySummary.self, from: lines[1].utf8)
        #expect(summary.present == 1 && summary.copied == 0 && summary.failed == 0)
        let nowhere = try await run(["spool", "export", target + "/no", "--config", config])
        #expect(nowhere.exitCode == 1 && nowhere.output.isEmpty)
        #expect(nowhere.complaint.contains("/no\" cannot be opened: No such file or directory."))
      }
    }

    /// A change may have been made although its answer was lost.
    @Test func `an act is not done twice`() async throws {
      try await withRig(isBroken: true) { run, config in
        let set = try await run(
          ["config", "set", "camera.frame_rate", "25", "--config", config])
        #expect(set.exitCode == 69 && set.complaint.contains("broke"), "\(set.complaint)")
        let file = try String(contentsOfFile: config, encoding: .utf8)
        #expect(!file.contains("frame_rate"))
      }
    }

    /// The content of this machine's journal, if there is one, does not matter.
    @Test(arguments: [false, true])
    func `the log comes from the journal`(_ isBroken: Bool) async throws {
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
