import Console
import Devices
import Synchronization
import TestSupport
import Testing

@testable import API

extension ServerTests {
  /// The permissions of callers, tested by real processes of other users.
  @Suite(.enabled(if: User.canBeOthers, "needs root and setpriv")) struct AccessTests {
    private static let stranger = User(number: 50_001, group: 50_001)
    private static let reader = User(number: 50_002, group: 50_002)
    private static let member = User(number: 50_003, group: 50_003, groups: [7, 60_003, 60_009])
    private static let policy = AccessPolicy(
      readers: AccessPolicy.Accounts(users: [50_002]),
      operators: AccessPolicy.Accounts(groups: [60_003]))

    private func withGuardedServer<Success: Sendable>(
      _ rig: FakeRig = FakeRig(), auditLog: MemoryAuditLog = MemoryAuditLog(),
      _ body: (RunningServer) async throws -> Success
    ) async throws -> Success {
      try await withServer(
        rig, auditLog: auditLog,
        edit: {
          $0.socketMode = 0o666
          $0.access = Self.policy
          // A stream has no place left, so that its answer ends.
          $0.maximumListeners = 0
          $0.maximumViewers = 0
        }, body)
    }

    private var routes: [APIRoutes.Route] { APIRoutes.every() }

    /// Returns the arguments of `curl` for a path, and the path with words for its parts.
    private func call(_ route: APIRoutes.Route) -> (arguments: [String], path: String) {
      let path = route.path.replacing("{id}", with: "x").replacing("{number}", with: "1")
      return (["-X", "\(route.method)"], path)
    }

    @Test func `every route requires its permission`() async throws {
      let log = MemoryAuditLog()
      let all = routes
      try await withGuardedServer(auditLog: log) { server in
        for route in all {
          let (arguments, path) = call(route)
          for user in [Self.stranger, Self.reader, Self.member] {
            let answer = try await user.curl(arguments, path: path, on: server)
            let isAllowed =
              user.number == Self.member.number || route.permission == nil
              || user.number == Self.reader.number && route.permission == .read
            #expect((answer.status != 403) == isAllowed, "\(user) \(route.method) \(path)")
            guard answer.status == 403 else { continue }
            let error = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8).error
            #expect(error.code == .forbidden)
            #expect(error.message.contains("\(user.number)"), "\(error.message)")
            #expect(
              error.message.contains(route.permission == .act ? "\"api.act\"" : "\"api.read\""))
          }
        }
      }
      #expect(all.contains { $0.permission == .act } && all.contains { $0.permission == .read })
      // Reads have no entry. Acts have an entry for all callers: two for the member.
      let acts = all.count { $0.permission == .act }
      let members = log.notes.filter { $0.caller.userID == Self.member.number }
      #expect(members.count == 2 * acts)
      for user in [Self.stranger, Self.reader] {
        let notes = log.notes.filter { $0.caller.userID == user.number }
        #expect(!notes.isEmpty && notes.allSatisfy { $0.stage == .refused && $0.status == 403 })
        let refusals = notes.reduce(notes.count) { $0 + ($1.omitted ?? 0) }
        #expect(refusals <= acts)
      }
    }

    @Test func `an unknown path is not found for callers who may read`() async throws {
      try await withGuardedServer { server in
        for path in ["/v1/nothing", "/", "/v1/presses/1/2", "/v1//x"] {
          let statuses = (
            try await Self.stranger.curl([], path: path, on: server).status,
            try await Self.reader.curl([], path: path, on: server).status,
            try await Self.member.curl(["-X", "POST"], path: path, on: server).status
          )
          #expect(statuses == (403, 404, 404), "\(path)")
        }
        let wrong = try await Self.reader.curl(["-X", "PUT"], path: "/v1/presses", on: server)
        #expect(wrong.status == 405 && wrong.headers["allow"] == "GET, HEAD, POST")
      }
    }

    /// No spelling of a path gets past the gate: the gate sees the path as the router does.
    @Test(arguments: [
      "/v1/session/stop", "//v1/session/stop", "/v1//session//stop/", "/v1/session/stop?x=1",
      "/v1/session/stop#x", "/v1/session/./stop", "/v1/x/../session/stop", "/v1/session/%73top",
      "/v1/Session/stop",
    ])
    func `no spelling of a path gets past the gate`(_ path: String) async throws {
      let rig = FakeRig()
      let answer = try await withGuardedServer(rig) { server in
        try await Self.reader.curl(
          ["-X", "POST", "--path-as-is"], path: path, on: server)
      }
      #expect([403, 404].contains(answer.status), "\(answer.status)")
      #expect(rig.capture.calls.isEmpty)
    }

    @Test func `root and the service may do everything`() async throws {
      try await withServer(
        FakeRig(),
        edit: {
          $0.socketMode = 0o666
          $0.access = AccessPolicy(
            readers: AccessPolicy.Accounts(), operators: AccessPolicy.Accounts(),
            serviceUser: 50_002)
        }
      ) { server in
        let statuses = (
          try await User(number: 0, group: 0).curl(["-X", "POST"], path: "/v1/presses", on: server)
            .status,
          try await Self.reader.curl(["-X", "POST"], path: "/v1/presses", on: server).status,
          try await Self.member.curl(["-X", "POST"], path: "/v1/presses", on: server).status
        )
        #expect(statuses == (200, 200, 403))
      }
    }

    /// A directory of accounts may come up later; its members may act from then on.
    @Test func `a name that becomes known is let in`() async throws {
      let isUp = Mutex(false)
      let said = Mutex<[String?]>([])
      try await withServer(
        FakeRig(),
        edit: {
          $0.socketMode = 0o666
          $0.access = AccessPolicy(operators: AccessPolicy.Accounts(), serviceUser: 50_002)
        },
        lookUpAccess: {
          isUp.withLock { isUp in
            AccessLookup(
              policy: AccessPolicy(
                operators: AccessPolicy.Accounts(users: isUp ? [50_004] : []),
                serviceUser: 50_002),
              problems: isUp ? [] : ["there is no user \"eve\" on this machine"])
          }
        },
        onProblem: { place, problem in
          if place == .accounts { said.withLock { $0.append(problem) } }
        }
      ) { server in
        func press() async throws -> Int {
          try await User(number: 50_004, group: 50_004)
            .curl(["-X", "POST"], path: "/v1/presses", on: server).status
        }
        #expect(try await press() == 403)
        try await eventually {
          said.withLock { $0.contains("there is no user \"eve\" on this machine") }
        }
        isUp.withLock { $0 = true }
        try await eventually { said.withLock { $0.last == .some(nil) } }
        #expect(try await press() == 200)
      }
    }

    @Test func `any caller on the socket may do both without settings`() async throws {
      try await withServer(FakeRig(), edit: { $0.socketMode = 0o666 }) { server in
        for (method, path) in [("GET", "/v1/status"), ("POST", "/v1/presses")] {
          let answer = try await Self.stranger.curl(["-X", method], path: path, on: server)
          #expect(answer.status == 200)
        }
      }
    }

    /// The kernel's list of groups may be longer than requested at first.
    @Test func `a member of many groups is known`() async throws {
      let many = User(number: 50_004, group: 50_004, groups: Array(59_804...60_003))
      let answer = try await withGuardedServer { server in
        try await many.curl(["-X", "POST"], path: "/v1/presses", on: server)
      }
      #expect(answer.status == 200)
    }

    @Test func `the refusal names the user, the request and the setting`() async throws {
      try await withGuardedServer { server in
        let answer = try await Self.reader.curl(["-X", "POST"], path: "/v1/presses", on: server)
        let error = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8).error
        #expect(
          error.message
            == "The user 50002 may not do anything with this rig: POST /v1/presses is refused. "
            + "The setting \"api.act\" names who may.")
      }
    }
  }

  /// The limit on the rate of requests.
  @Suite struct RateTests {
    @Test func `a caller with too many requests is told when to return`() async throws {
      let clock = ManualClock()
      let log = MemoryAuditLog()
      let rig = FakeRig()
      try await withServer(
        rig, auditLog: log, clock: clock,
        edit: {
          $0.requestRate = RequestRate.Limit(perSecond: 0.5, burst: 3)
          $0.maximumListeners = 0
        }
      ) { server in
        func ask(_ path: String, _ arguments: [String] = []) async throws -> CurlHead {
          try await CurlHead.ask(
            ["--unix-socket", server.socketPath] + arguments + ["http://localhost\(path)"])
        }
        // Events and health count as all other requests do; there is no place for a listener.
        let first = (
          try await ask("/healthz").status, try await ask("/v1/events").status,
          try await ask("/v1/nothing").status
        )
        #expect(first == (200, 503, 404))
        for path in ["/healthz", "/v1/session/stop", "/v1/session/resume"] {
          let answer = try await ask(path, path == "/healthz" ? [] : ["-X", "POST"])
          #expect(answer.status == 429)
          #expect(answer.headers["retry-after"] == "2")
          let error = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8).error
          #expect(error.code == .tooManyRequests && error.message.contains("\"api.rate\""))
        }
        clock.advance(by: .seconds(2))
        let stopped = try await ask("/v1/session/stop", ["-X", "POST"]).status
        #expect(stopped == 200)
        let resumed = try await ask("/v1/session/resume", ["-X", "POST"]).status
        #expect(resumed == 429)
      }
      #expect(rig.capture.calls == ["stop"])
      // The clock stood still, so only the first refusal was entered. The refusal two seconds later
      // tells of the omitted one.
      let refusals = log.notes.filter { $0.stage == .refused }
      #expect(refusals.map(\.status) == [429, 429])
      #expect(refusals.map(\.path) == ["/v1/session/stop", "/v1/session/resume"])
      #expect(refusals.map(\.omitted) == [nil, 1])
    }
  }
}
