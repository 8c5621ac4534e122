import API
import Foundation
import TestSupport
import Testing

@testable import Service

/// The assembled service records in the audit log beside the spool the acts over its API.
@Suite(.timeLimit(.minutes(10))) struct AuditedServiceTests {
  private let scratch = ScratchSpool()
  private let log = RecordedLog()

  @Test func `a press is in the audit log of the next run`() async throws {
    let socket = "/tmp/platen-audit-\(UInt64.random(in: 0...UInt64.max))"
    let text = """
      rig: { id: rig-1 }
      board: simulated
      camera: {
        preset: document, frame_rate: 5, ring_frames: 20, stall_timeout: 60 s,
        maximum_wait: 60 s }
      spool: { directory: \(scratch.directory), minimum_free: 0 B }
      api: { socket: \(socket), act: { users: [daemon] }, rate: 1000 }
      """
    let service = try await AssembledService(text, spool: try await scratch.open(), log: log)
    await service.becomeReady()
    let answer = try await curl(["-X", "POST", "--unix-socket", socket], "/v1/presses")
    #expect(answer.contains("\"outcome\":\"stored\""), "\(answer)")
    let figures = try await curl(["--unix-socket", socket], "/metrics")
    #expect(figures.contains("\nplaten_presses_total{outcome=\"stored\"} 1\n"), "\(figures)")
    try await service.end()

    let entries = try await AuditFile(directory: scratch.directory, logger: log.logger)
      .entries(limit: 10)
    #expect(entries.map(\.note.stage) == [.ended, .began])
    #expect(entries.map(\.note.status) == [200, nil])
    #expect(entries.allSatisfy { $0.note.caller.userID == geteuid() && $0.bootID != nil })
    #expect(log.count("audit.jsonl") == 0, "the spool takes no offence at the file")
  }

  private func curl(_ arguments: [String], _ path: String) async throws -> String {
    let options = [
      "-sS", "-m", "300", "--retry", "300", "--retry-all-errors", "--retry-delay", "1",
    ]
    return try await Tool.run("curl", options + arguments + ["http://localhost\(path)"]).output
  }
}
