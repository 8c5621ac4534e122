import Console
import Foundation
import Testing

@testable import API

extension ServerTests {
  /// An act requires its entry in the audit log.
  @Suite struct AuditTests {
    private func post(
      _ path: String, on server: RunningServer, _ arguments: [String] = []
    ) async throws -> CurlAnswer {
      try await CurlAnswer.get(path, on: server, ["-X", "POST"] + arguments)
    }

    @Test func `an act is entered before and after`() async throws {
      let log = MemoryAuditLog()
      try await withServer(FakeRig(), auditLog: log) { server in
        _ = try await post("/v1/session/stop", on: server)
        _ = try await CurlAnswer.get("/v1/status", on: server)
      }
      let notes = log.notes
      #expect(notes.map(\.stage) == [.began, .ended])
      #expect(notes.map(\.request) == [1, 1])
      #expect(Set(notes.map(\.run)).count == 1 && notes.first?.run.isEmpty == false)
      #expect(notes.allSatisfy { $0.method == "POST" && $0.path == "/v1/session/stop" })
      #expect(notes.map(\.status) == [nil, 200])
      let caller = try #require(notes.first?.caller)
      #expect(caller.userID == geteuid() && caller.from == "unix")
      #expect((caller.processID ?? 0) > 0 && caller.processID != getpid(), "curl's, not ours")
    }

    struct Ending: Sendable {
      var path: String
      var arguments: [String] = []
      var status: Int
      var error: String?
    }

    static let endings = [
      Ending(path: "/v1/presses", status: 409),
      Ending(path: "/v1/presses", arguments: ["-d", "["], status: 400, error: "invalidRequest"),
      Ending(path: "/v1/session/stop?x=1", status: 400, error: "invalidRequest"),
      Ending(path: "/v1/session/focus", status: 504, error: "timedOut"),
      Ending(path: "/v1/spool/items/secret/retry", status: 404, error: "notFound"),
    ]

    @Test(arguments: endings)
    func `the outcome of a failed act is entered too`(_ ending: Ending) async throws {
      let rig = FakeRig()
      rig.willAnswer(.success(Samples.refused))
      rig.editCapture { $0.failure = APIError(.timedOut, "The lens did not stop.") }
      let log = MemoryAuditLog()
      let answer = try await withServer(rig, auditLog: log) { server in
        try await post(ending.path, on: server, ending.arguments)
      }
      #expect(answer.status == ending.status)
      #expect(log.notes.map(\.status) == [nil, ending.status])
      #expect(log.notes.last?.error == ending.error)
    }

    @Test func `the body and the parameters are not entered`() async throws {
      let log = MemoryAuditLog()
      try await withServer(FakeRig(), auditLog: log) { server in
        let body = #"{"action":"cameraFault","fault":"hunter2"}"#
        _ = try await post("/v1/simulation", on: server, ["-d", body])
        _ = try await CurlAnswer.get(
          "/v1/spool/items/x?confirm=hunter2", on: server, ["-X", "DELETE"])
        let long = String(repeating: "a", count: 3000)
        _ = try await post("/v1/spool/items/\(long)/retry", on: server)
      }
      #expect(log.notes.count == 6)
      let text = String(decoding: try APICoding.encode(log.notes), as: UTF8.self)
      #expect(!text.contains("hunter2"))
      #expect(log.notes.allSatisfy { $0.path.count <= 256 })
    }

    @Test func `an act that cannot be entered is not done`() async throws {
      let rig = FakeRig()
      rig.holds(SpoolSamples.item(7, state: "parked"))
      let log = MemoryAuditLog()
      log.fail { _ in true }
      let id = SpoolSamples.item(7).id
      let acts = [
        ("POST", "/v1/session/stop"), ("POST", "/v1/session/calibrate"),
        ("DELETE", "/v1/session/calibration"), ("POST", "/v1/spool/items/\(id)/retry"),
        ("DELETE", "/v1/spool/items/\(id)?confirm=\(id)"), ("GET", "/v1/audit"),
      ]
      try await withServer(rig, auditLog: log) { server in
        for (method, path) in acts {
          let answer = try await CurlAnswer.get(path, on: server, ["-X", method])
          #expect(answer.status == 503, "\(method) \(path)")
          let error = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8).error
          #expect(error.code == .unavailable && error.message.contains("audit log"))
        }
        // A read needs no entry.
        let looked = try await CurlAnswer.get("/v1/status", on: server).status
        #expect(looked == 200)
        log.fail { _ in false }
        let stopped = try await post("/v1/session/stop", on: server).status
        #expect(stopped == 200)
      }
      #expect(rig.capture.calls == ["stop"])
      #expect(rig.spool.retried.isEmpty && rig.spool.deleted.isEmpty)
    }

    @Test func `an act waits for its entry`() async throws {
      let rig = FakeRig()
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      let log = MemoryAuditLog(gate: gate)
      try await withServer(rig, auditLog: log) { server in
        async let answer = post("/v1/session/stop", on: server)
        for await note in log.asked where note.stage == .began { break }
        #expect(rig.capture.calls.isEmpty && log.notes.isEmpty)
        opener.finish()
        let answered = try await answer.status
        #expect(answered == 200)
      }
      #expect(rig.capture.calls == ["stop"])
    }

    /// A press takes the picture of the moment, so only its answer waits for the disk.
    @Test func `a press goes on beside its entry`() async throws {
      let rig = FakeRig()
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      let log = MemoryAuditLog(gate: gate)
      try await withServer(rig, auditLog: log) { server in
        async let answer = post("/v1/presses", on: server)
        for await _ in rig.entered { break }
        for await note in log.asked where note.stage == .began { break }
        #expect(log.notes.isEmpty)
        opener.finish()
        let answered = try await answer.status
        #expect(answered == 200)
      }
      #expect(log.notes.map(\.stage) == [.began, .ended])
    }

    @Test func `no press follows a press that cannot be entered`() async throws {
      let rig = FakeRig()
      let log = MemoryAuditLog()
      log.fail { _ in true }
      try await withServer(rig, auditLog: log) { server in
        let first = try await post("/v1/presses", on: server)
        #expect(first.status == 503)
        #expect(first.body.contains("was carried out, but not entered"), "\(first.body)")
        let second = try await post("/v1/presses", on: server)
        #expect(second.status == 503 && rig.pressSettings.count == 1, "\(second.body)")
        log.fail { _ in false }
        // The log admits one press at a time until it is known to work again.
        let pressed = try await post("/v1/presses", on: server).status
        #expect(pressed == 200)
      }
      #expect(rig.pressSettings.count == 2)
    }

    @Test func `a press with only one of its entries is answered`() async throws {
      for failing in [AuditNote.Stage.began, .ended] {
        let log = MemoryAuditLog()
        log.fail { $0.stage == failing }
        let answer = try await withServer(FakeRig(), auditLog: log) { server in
          try await post("/v1/presses", on: server)
        }
        #expect(answer.status == 200 && log.notes.count == 1, "\(failing)")
      }
    }

    @Test func `an act is answered even if its outcome cannot be entered`() async throws {
      let log = MemoryAuditLog()
      log.fail { $0.stage == .ended }
      let answer = try await withServer(FakeRig(), auditLog: log) { server in
        try await post("/v1/session/stop", on: server)
      }
      #expect(answer.status == 200 && log.notes.map(\.stage) == [.began])
    }

    @Test func `the log is listed newest first`() async throws {
      let log = MemoryAuditLog()
      try await withServer(FakeRig(), auditLog: log) { server in
        _ = try await post("/v1/session/stop", on: server)
        let answer = try await CurlAnswer.get("/v1/audit?limit=2", on: server)
        #expect(answer.status == 200)
        let list = try APICoding.decode(AuditEntryList.self, from: answer.body.utf8)
        // The entry of the list request itself has begun.
        #expect(list.entries.map(\.note.stage) == [.began, .ended])
        #expect(list.entries.map(\.note.path) == ["/v1/audit", "/v1/session/stop"])
        for query in ["limit=0", "limit=1001", "limit=x", "before=1"] {
          let listed = try await CurlAnswer.get("/v1/audit?\(query)", on: server).status
          #expect(listed == 400)
        }
      }
    }

    /// The kernel is asked for the caller before the first byte is read: leaving hides no caller.
    @Test(.timeLimit(.minutes(10))) func `a caller who leaves at once is known`() async throws {
      let log = MemoryAuditLog()
      try await withServer(FakeRig(), auditLog: log) { server in
        do {
          let raw = try RawConnection(to: server.socketPath)
          raw.send("POST /v1/session/stop HTTP/1.1\r\nHost: localhost\r\n\r\n")
        }
        for await note in log.asked where note.stage == .ended { break }
      }
      #expect(log.notes.map(\.caller.userID) == [geteuid(), geteuid()])
      #expect(log.notes.map(\.caller.processID) == [getpid(), getpid()])
    }
  }
}
