import API
import Console
import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// The acts that end a rig, over the API and by the built `platenctl`; none without a service.
  @Suite struct MaintenanceCommandTests {
    private static let acts: [(path: String, words: [String], ending: EndingReport.Ending)] = [
      ("/v1/service/restart", ["service", "restart"], .serviceRestart),
      ("/v1/machine/restart", ["reboot"], .machineRestart),
      ("/v1/machine/power-off", ["poweroff"], .powerOff),
    ]

    @Test(arguments: acts)
    func `an act is confirmed by the rig's name and recorded`(
      _ act: (path: String, words: [String], ending: EndingReport.Ending)
    ) async throws {
      let (rig, log) = (FakeRig(), MemoryAuditLog())
      try await withServer(rig, auditLog: log) { server in
        for query in ["", "?confirm=", "?confirm=rig-8", "?confirm=rig-7&now=1"] {
          let answer = try await CurlAnswer.get(act.path + query, on: server, ["-X", "POST"])
          #expect(answer.status == 400, "\(query)")
        }
        #expect(rig.endings.asked.isEmpty)
        let body = try await CurlAnswer.get(
          act.path + "?confirm=rig-7", on: server, ["-d", "{\"force\":true}"])
        #expect(body.status == 400 && rig.endings.asked.isEmpty)
        let answer = try await CurlAnswer.get(
          act.path + "?confirm=rig-7", on: server, ["-X", "POST"])
        let report = try APICoding.decode(EndingReport.self, from: answer.body.utf8)
        #expect(report == EndingReport(ending: act.ending, pressesInFlight: 2))
      }
      #expect(rig.endings.asked == [act.ending])
      #expect(log.notes.suffix(2).map(\.stage) == [.began, .ended])
      #expect(log.notes.allSatisfy { $0.path == act.path })
    }

    /// An act is done only with its entry in the audit log.
    @Test func `an act that cannot be recorded is not done`() async throws {
      let (rig, log) = (FakeRig(), MemoryAuditLog())
      log.fail { $0.stage == .began }
      try await withServer(rig, auditLog: log) { server in
        let answer = try await CurlAnswer.get(
          "/v1/machine/restart?confirm=rig-7", on: server, ["-X", "POST"])
        #expect(answer.status == 503)
      }
      #expect(rig.endings.asked.isEmpty)
    }

    @Test(arguments: acts)
    func `the command asks for confirmation and shows the acts in progress`(
      _ act: (path: String, words: [String], ending: EndingReport.Ending)
    ) async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let unasked = try await Tool.platenctl(act.words, socket: server.socketPath)
        #expect(unasked.exitCode == 64 && unasked.complaint.contains("--yes"))
        #expect(rig.endings.asked.isEmpty)
        let told = try await Tool.platenctl(act.words + ["--yes"], socket: server.socketPath)
        #expect(told.exitCode == 0 && told.output.contains("2 presses"), "\(told.complaint)")
        #expect(rig.endings.asked == [act.ending])
        let refusal = "\"org.freedesktop.login1\" would not restart the machine: no. It goes on."
        rig.editEndings { $0.refusal = APIError(.conflict, refusal) }
        let refused = try await Tool.platenctl(act.words + ["--yes"], socket: server.socketPath)
        #expect(refused.exitCode == 1 && refused.complaint.contains(refusal))
      }
    }

    @Test func `the state of the service is shown`() async throws {
      try await withServer(FakeRig()) { server in
        let tool = try await Tool.platenctl(["service"], socket: server.socketPath)
        #expect(tool.exitCode == 0 && tool.output.contains("rig-7, platend 1.0"))
        #expect(tool.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let json = try await Tool.platenctl(["service", "status", "--json"], socket: "/nobody")
        #expect(json.exitCode == 69 && json.output.contains("\"isAnswering\":false"))
      }
    }

    @Test func `the audit log is a table`() async throws {
      try await withServer(FakeRig()) { server in
        let press = try await Tool.platenctl(["shoot"], socket: server.socketPath)
        #expect(press.exitCode == 0)
        let table = try await Tool.platenctl(["audit"], socket: server.socketPath)
        let lines = table.output.split(separator: "\n")
        // The press has two entries; the request for the log has one that has begun.
        #expect(table.exitCode == 0 && lines.count == 4, "\(table.output)")
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(
          lines.last?.contains("began") == true && lines.last?.contains("/v1/presses") == true)
        let json = try await Tool.platenctl(
          ["audit", "--json", "--limit", "1"], socket: server.socketPath)
        let entry = try APICoding.decode(AuditEntry.self, from: json.output.utf8)
        #expect(entry.note.path == "/v1/audit" && entry.note.caller.userID == geteuid())
        let metrics = try await Tool.platenctl(["metrics"], socket: server.socketPath)
        #expect(metrics.output.contains("# TYPE platen_"))
      }
      let wrong = try await Tool.platenctl(["audit", "--limit", "0"], socket: "/nobody")
      #expect(wrong.exitCode == 64)
    }
  }
}
