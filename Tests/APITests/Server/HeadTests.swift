import Foundation
import TestSupport
import Testing

@testable import API

extension ServerTests {
  /// HEAD by RFC 9110, 9.3.2, with curl as the referee, which reports every excess byte.
  @Suite struct HeadTests {
    /// Asks with HEAD and then with GET on the same connection.
    private func ask(
      _ path: String, on server: RunningServer
    ) async throws -> (head: [String], get: [String], complaint: String) {
      let url = "http://rig\(path)"
      let common = ["-sS", "-v", "--unix-socket", server.socketPath, "-D", "-", "-o", "/dev/null"]
      let curl = try await Tool.run(
        "curl", common + ["-I", url, "--next"] + common + [url])
      let answers = curl.output.components(separatedBy: "\r\n\r\n").map { head in
        head.split(whereSeparator: \.isNewline).map(String.init)
          .filter { !$0.lowercased().hasPrefix("date:") }
      }
      try #require(answers.count >= 2, "\(curl.output)")
      return (answers[0].sorted(), answers[1].sorted(), curl.complaint)
    }

    /// Paths that a fake rig always answers, and errors.
    @Test(arguments: ["/healthz", "/v1/status", "/v1/presses", "/nothing", "/v1/status?x=1"])
    func `HEAD is GET without a body and keeps the connection`(_ path: String) async throws {
      try await withServer(FakeRig()) { server in
        let (head, get, complaint) = try await ask(path, on: server)
        #expect(head == get)
        #expect(head.contains { $0.lowercased().hasPrefix("content-length: ") })
        #expect(!complaint.contains("Excess found"), "\(complaint)")
        #expect(complaint.contains("Re-using existing connection"), "\(complaint)")
      }
    }

    @Test(arguments: ["/v1/events", "/v1/log/events", "/v1/preview/stream"])
    func `a stream refuses HEAD`(_ path: String) async throws {
      try await withServer(FakeRig()) { server in
        let answer = try await Tool.run(
          "curl", ["-sS", "-v", "-I", "--unix-socket", server.socketPath, "http://rig\(path)"])
        #expect(answer.output.hasPrefix("HTTP/1.1 405"))
        #expect(!answer.complaint.contains("Excess found"))
      }
    }
  }
}
