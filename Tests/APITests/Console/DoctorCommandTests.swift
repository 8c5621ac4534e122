import API
import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// The built `platenctl doctor`, with a service and without.
  @Suite struct DoctorCommandTests {
    @Test func `a fault sets the exit status`() async throws {
      try await withServer(FakeRig()) { server in
        let all = try await Tool.platenctl(["doctor"], socket: server.socketPath)
        #expect(all.exitCode == 1)
        #expect(all.output.contains("lights show 1-3"))
        #expect(all.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let lamp = try await Tool.platenctl(
          ["doctor", "--part", "lamp"], socket: server.socketPath)
        #expect(lamp.exitCode == 0, "\(lamp.complaint)")
        let json = try await Tool.platenctl(["doctor", "--json"], socket: server.socketPath)
        let report = try APICoding.decode(DoctorReport.self, from: json.output.utf8)
        #expect(report.isServiceRunning && report.findings == DoctorSamples.findings)
      }
    }

    @Test func `the check of the board shows the parts with wires alone`() async throws {
      try await withServer(FakeRig()) { server in
        let shown = try await Tool.platenctl(
          ["board", "check", "--json"], socket: server.socketPath)
        #expect(shown.exitCode == 0, "\(shown.complaint)")
        let report = try APICoding.decode(DoctorReport.self, from: shown.output.utf8)
        #expect(report.findings == DoctorSamples.findings.filter { $0.part == .lamp })
      }
    }

    @Test func `an unknown part is a usage error`() async throws {
      let tool = try await Tool.platenctl(["doctor", "--part", "engine"], socket: "/nonexistent")
      #expect(tool.exitCode == 64)
      #expect(tool.complaint.contains("engine"))
    }

    @Test func `the parts are examined without a service too`() async throws {
      try await withTemporaryDirectory { directory in
        let config = directory + "/platen.yaml"
        try Data(
          "rig: { id: rig-9 }\nboard: simulated\nspool: { directory: \(directory) }\n".utf8
        ).write(to: URL(fileURLWithPath: config))
        let tool = try await Tool.platenctl(
          ["doctor", "--json", "--config", config, "--part", "storage"],
          socket: directory + "/nobody")
        #expect(tool.complaint.contains("does not answer"))
        let report = try APICoding.decode(DoctorReport.self, from: tool.output.utf8)
        #expect(report.rig == "rig-9" && !report.isServiceRunning)
        #expect(report.findings.allSatisfy { $0.part == .storage } && !report.findings.isEmpty)
        #expect(tool.exitCode == (report.count(.fault) > 0 ? 1 : 0))
        let service = try await Tool.platenctl(
          ["doctor", "--config", config, "--part", "service"], socket: directory + "/nobody")
        #expect(service.exitCode == 1)
        #expect(service.output.contains("serviceStopped"))
      }
    }

    @Test func `a broken configuration is reported with its key`() async throws {
      try await withTemporaryDirectory { directory in
        let config = directory + "/platen.yaml"
        try Data("rig: { id: rig-9 }\ncolor: red\n".utf8).write(
          to: URL(fileURLWithPath: config))
        let tool = try await Tool.platenctl(
          ["doctor", "--config", config, "--part", "configuration"],
          socket: directory + "/nobody")
        #expect(tool.exitCode == 1)
        #expect(tool.output.contains("configurationInvalid"))
        #expect(tool.output.contains("color"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["platen.yaml"])
      }
    }
  }
}
