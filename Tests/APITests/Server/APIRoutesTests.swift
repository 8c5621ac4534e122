import API
import Console
import Devices
import Foundation
import Testing
import TestSupport

extension ServerTests {
  @Suite struct APIRoutesTests {
    @Test func `the status arrives unchanged`() async throws {
      let status = try await withServer(FakeRig()) { try await $0.client.status() }
      #expect(status == Samples.status)
    }

    @Test func `the history arrives unchanged`() async throws {
      let history = try await withServer(FakeRig()) { try await $0.client.call(Operations.history) }
      #expect(history == Samples.history)
    }

    @Test func `the status is plain JSON for other clients`() async throws {
      let answer = try await withServer(FakeRig()) {
        try await CurlAnswer.get("/v1/status", on: $0)
      }
      #expect(answer.status == 200)
      #expect(answer.contentType == "application/json")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
      #expect(
        Set(object.keys) == [
          "rig", "version", "board", "readiness", "session", "rotation", "thermal", "spool",
          "targets", "presses", "lights", "buttons", "uptimeSeconds",
        ])
      let session = try #require(object["session"] as? [String: Any])
      #expect(session["lastFrameAgeMilliseconds"] as? Double == 31.5)
    }

    @Test func `health tells that the service answers`() async throws {
      let answer = try await withServer(FakeRig()) { try await CurlAnswer.get("/healthz", on: $0) }
      #expect(answer.status == 200)
      let report = try APICoding.decode(HealthReport.self, from: answer.body.utf8)
      #expect(report.status == "ok")
      #expect(report.readiness == Samples.status.readiness)
    }

    @Test func `a stored press is answered with its report`() async throws {
      try await withServer(FakeRig()) { server in
        #expect(try await server.client.call(Operations.shoot, PressSettings()) == Samples.stored)
        for body in [[], ["-d", "{}"]] {
          let answer = try await CurlAnswer.get("/v1/presses", on: server, ["-X", "POST"] + body)
          #expect(answer.status == 200)
        }
      }
    }

    @Test func `a press may have settings, also by platenctl`() async throws {
      let rig = FakeRig()
      let settings = PressSettings(prioritization: .speed, fastCapture: false)
      try await withServer(rig) { server in
        _ = try await server.client.call(Operations.shoot, PressSettings())
        _ = try await server.client.call(Operations.shoot, settings)
        // The second name is the key's, which the option had first.
        for name in ["--quality", "--prioritization"] {
          let tool = try await Tool.platenctl(
            ["shoot", name, "quality", "--no-fast-capture"], socket: server.socketPath)
          #expect(tool.exitCode == 0)
        }
      }
      #expect(
        rig.pressSettings == [
          PressSettings(), settings, PressSettings(prioritization: .quality, fastCapture: false),
          PressSettings(prioritization: .quality, fastCapture: false),
        ])
    }

    @Test func `a press may have a DNG, also by platenctl`() async throws {
      let rig = FakeRig()
      let settings = PressSettings(formats: [.jpeg, .dng])
      try await withServer(rig) { server in
        _ = try await server.client.call(Operations.shoot, settings)
        let tool = try await Tool.platenctl(["shoot", "--raw"], socket: server.socketPath)
        #expect(tool.exitCode == 0)
      }
      #expect(rig.pressSettings == [settings, settings])
    }

    @Test func `a press may take a bracket, also by platenctl`() async throws {
      let rig = FakeRig()
      let bracket = try Bracket("ev=-2,0,2")
      try await withServer(rig) { server in
        _ = try await server.client.call(Operations.shoot, PressSettings(bracket: bracket))
        let tool = try await Tool.platenctl(
          ["shoot", "--bracket", "ev=-2,0,2"], socket: server.socketPath)
        #expect(tool.exitCode == 0)
        for value in [#"{"ev": [0]}"#, #""ev=1,2""#, "null"] {
          let body = #"{"bracket": \#(value)}"#
          let answer = try await CurlAnswer.get("/v1/presses", on: server, ["-d", body])
          #expect(answer.status == 400, "\(body)")
        }
      }
      let wanted = PressSettings(bracket: bracket)
      #expect(rig.pressSettings == [wanted, wanted])
    }

    @Test func `a press may merge its bracket, also by platenctl`() async throws {
      let rig = FakeRig()
      let wanted = PressSettings(bracket: try Bracket("focus=2,4"), merge: .add)
      try await withServer(rig) { server in
        _ = try await server.client.call(Operations.shoot, wanted)
        let tool = try await Tool.platenctl(
          ["shoot", "--bracket", "focus=2,4", "--merge", "add"], socket: server.socketPath)
        #expect(tool.exitCode == 0)
      }
      #expect(rig.pressSettings == [wanted, wanted])
    }

    @Test func `a refused press is a conflict with its report`() async throws {
      let rig = FakeRig()
      rig.willAnswer(.success(Samples.refused), .success(Samples.refused))
      try await withServer(rig) { server in
        let answer = try await CurlAnswer.get("/v1/presses", on: server, ["-X", "POST"])
        #expect(answer.status == 409)
        #expect(
          try APICoding.decode(PressReport.self, from: answer.body.utf8) == Samples.refused)
        #expect(try await server.client.call(Operations.shoot, PressSettings()) == Samples.refused)
      }
    }

    @Test func `a rig that cannot press is unavailable`() async throws {
      let rig = FakeRig()
      let error = APIError(.unavailable, "The service is shutting down.")
      rig.willAnswer(.failure(error), .failure(error))
      try await withServer(rig) { server in
        let answer = try await CurlAnswer.get("/v1/presses", on: server, ["-X", "POST"])
        #expect(answer.status == 503)
        #expect(
          try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8) == ErrorEnvelope(error))
        await #expect(throws: RigClientError.refused(error)) {
          try await server.client.call(Operations.shoot, PressSettings())
        }
      }
    }

    @Test func `presses are listed and found`() async throws {
      let rig = FakeRig()
      rig.remembers(Samples.refused, Samples.stored)
      try await withServer(rig) { server in
        let (all, one) = (
          try await server.client.call(Operations.presses, PressFilter(limit: 10)),
          try await server.client.call(Operations.presses, PressFilter(limit: 1))
        )
        #expect(all == PressList(presses: [Samples.refused, Samples.stored]))
        #expect(one == PressList(presses: [Samples.refused], next: 43))
        let press = try await server.client.call(Operations.press, PressNumber(42))
        #expect(press == Samples.stored)
        await #expect {
          try await server.client.call(Operations.press, PressNumber(7))
        } throws: { error in
          guard case .refused(let error)? = error as? RigClientError else { return false }
          return error.code == .notFound && error.message.contains("7")
        }
      }
    }

    @Test func `a filter arrives unchanged`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        var filter = PressFilter(limit: 7)
        let empty = filter
        filter.before = 99
        filter.after = 3
        filter.outcome = .refused
        filter.reason = "a b&c=ü"
        filter.gesture = .double
        filter.since = PressFilter.date("2026-11-21T10:00:00Z")
        filter.until = PressFilter.date("2026-11-21T12:00:00.250+01:00")
        for asked in [empty, filter] { _ = try await server.client.call(Operations.presses, asked) }
        #expect(filter.since != nil && filter.until != nil)
        #expect(rig.filters == [empty, filter])
        #expect(try await server.client.call(Operations.pressCounts) == Samples.counts)
        let edges = try await server.client.call(Operations.lostEdges, ListLimit(1))
        #expect(edges.lostEdges == [Samples.lostEdges[0]])
      }
    }

    @Test func `the simulated world gets each command`() async throws {
      let commands: [SimulationCommand] = [
        .press(durationMilliseconds: 80, bounce: true),
        .press(durationMilliseconds: nil, bounce: nil),
        .turn(.degrees(90)), .turn(.flat), .heat(celsius: 71.5), .showPage(7),
        .cameraFault("stall"),
      ]
      let rig = FakeRig()
      try await withServer(rig) { server in
        for command in commands { _ = try await server.client.call(Operations.simulate, command) }
      }
      #expect(rig.commands == commands)
    }

    @Test func `a real board cannot be simulated`() async throws {
      let rig = FakeRig()
      rig.refuseSimulation()
      let answer = try await withServer(rig) { server in
        try await CurlAnswer.get(
          "/v1/simulation", on: server, ["-d", #"{"action":"heat","celsius":50}"#])
      }
      #expect(answer.status == 404)
      let envelope = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8)
      #expect(envelope.error.code == .notSimulated)
    }

    /// A request that must be refused, and the refusal.
    struct BadRequest: Sendable, CustomTestStringConvertible {
      var path: String
      var arguments: [String] = []
      var status = 400
      var code = APIError.Code.invalidRequest
      var mentions: String
      var testDescription: String { "\(arguments.joined(separator: " ")) \(path)" }
    }

    static let badRequests = [
      BadRequest(path: "/", status: 404, code: .notFound, mentions: "\"/\""),
      BadRequest(path: "/v2/status", status: 404, code: .notFound, mentions: "/v2/status"),
      BadRequest(
        path: "/v1/presses/1/x", status: 404, code: .notFound, mentions: "/v1/presses/1/x"),
      BadRequest(path: "/v1/presses/7", status: 404, code: .notFound, mentions: "7"),
      BadRequest(path: "/v1/presses/x", mentions: "number"),
      BadRequest(
        path: "/v1/presses?reason=e" + String(repeating: "%CC%81", count: 64),
        mentions: "1 to 64 characters"),
      BadRequest(path: "/v1/presses?limit=1&limit=2", mentions: "twice"),
      BadRequest(path: "/v1/presses/-1", mentions: "1 or more"),
      BadRequest(path: "/v1/presses/9223372036854775808", mentions: "number"),
      BadRequest(path: "/v1/presses?limit=0", mentions: "limit"),
      BadRequest(path: "/v1/presses?limit=1001", mentions: "1000"),
      BadRequest(path: "/v1/presses?before=x", mentions: "\"before\""),
      BadRequest(path: "/v1/presses?after=-1", mentions: "\"after\""),
      BadRequest(path: "/v1/presses?outcome=lost", mentions: "refused"),
      BadRequest(path: "/v1/presses?reason=", mentions: "\"reason\""),
      BadRequest(path: "/v1/presses?gesture=clap", mentions: "one of single, double"),
      BadRequest(path: "/v1/presses?since=yesterday", mentions: "ISO 8601"),
      BadRequest(path: "/v1/presses/counts?x=1", mentions: "\"x\""),
      BadRequest(path: "/v1/presses/lost-edges?limit=0", mentions: "limit"),
      BadRequest(path: "/v1/presses?lmit=1", mentions: "lmit"),
      BadRequest(path: "/v1/status?x=1", mentions: "\"x\""),
      BadRequest(
        path: "/v1/status", arguments: ["-X", "DELETE"], status: 405, code: .methodNotAllowed,
        mentions: "GET"),
      BadRequest(
        path: "/v1/presses", arguments: ["-X", "PUT"], status: 405, code: .methodNotAllowed,
        mentions: "GET, HEAD, POST"),
      BadRequest(path: "/v1/presses", arguments: ["-d", #"{"count":2}"#], mentions: "count"),
      BadRequest(
        path: "/v1/presses", arguments: ["-d", #"{"prioritization":"best"}"#],
        mentions: "balanced"),
      BadRequest(path: "/v1/presses", arguments: ["-d", #"{"flash":"dim"}"#], mentions: "auto"),
      BadRequest(path: "/v1/presses", arguments: ["-d", #"{"flash":true}"#], mentions: "flash"),
      BadRequest(
        path: "/v1/presses", arguments: ["-d", #"{"bracket":{"ev":[0,1]},"merge":"hdr"}"#],
        mentions: "only"),
      BadRequest(
        path: "/v1/presses", arguments: ["-d", #"{"merge":"only"}"#], mentions: "bracket"),
      BadRequest(
        path: "/v1/presses", arguments: ["-d", #"{"formats":["tiff"]}"#], mentions: "dng"),
      BadRequest(
        path: "/v1/presses", arguments: ["-d", #"{"formats":["dng"]}"#], mentions: "jpeg"),
      BadRequest(
        path: "/v1/presses", arguments: ["-d", #"{"fastCapture":null}"#], mentions: "null"),
      BadRequest(path: "/v1/presses", arguments: ["-d", "[]"], mentions: "type"),
      BadRequest(path: "/v1/simulation", arguments: ["-X", "POST"], mentions: "not JSON"),
      BadRequest(path: "/v1/simulation", arguments: ["-d", "{"], mentions: "not JSON"),
      BadRequest(
        path: "/v1/simulation", arguments: ["-d", "{}"], mentions: "\"action\" is missing"),
      BadRequest(
        path: "/v1/simulation", arguments: ["-d", #"{"action":"jump"}"#], mentions: "\"jump\""),
      BadRequest(
        path: "/v1/simulation", arguments: ["-d", #"{"action":"heat","celcius":9}"#],
        mentions: "celcius"),
      BadRequest(
        path: "/v1/simulation", arguments: ["-d", #"{"action":"heat","celsius":"9"}"#],
        mentions: "celsius"),
      BadRequest(
        path: "/v1/simulation", arguments: ["-d", #"{"action":"heat","celsius":900}"#],
        mentions: "250"),
      BadRequest(
        path: "/v1/simulation",
        arguments: ["-d", #"{"action":"throttle","flags":["throttled","slow"]}"#],
        mentions: "\"slow\" of \"flags\" is unknown; there are: undervoltage"),
      BadRequest(
        path: "/v1/simulation", arguments: ["-d", #"{"action":"turn","degrees":9,"flat":true}"#],
        mentions: "either"),
      BadRequest(
        path: "/v1/simulation", arguments: ["-d", #"{"action":"cameraFault","fault":"a b"}"#],
        mentions: "letters"),
    ]

    @Test(arguments: badRequests)
    func `a bad request is refused in one form`(_ request: BadRequest) async throws {
      let answer = try await withServer(FakeRig()) { server in
        try await CurlAnswer.get(request.path, on: server, request.arguments)
      }
      #expect(answer.status == request.status)
      #expect(answer.contentType == "application/json")
      let envelope = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8)
      #expect(envelope.error.code == request.code)
      #expect(envelope.error.message.contains(request.mentions), "\(envelope.error.message)")
      #expect(answer.allow.isEmpty == (request.status != 405))
    }

    @Test func `an oversized body is refused`() async throws {
      try await withTemporaryDirectory { directory in
        let file = directory + "/body"
        let rig = FakeRig()
        try await withServer(rig) { server in
          for (size, status) in [(65_536, 400), (65_537, 413), (3_000_000, 413)] {
            try Data(repeating: UInt8(ascii: " "), count: size).write(
              to: URL(fileURLWithPath: file))
            for chunked in [[], ["-H", "Transfer-Encoding: chunked"]] {
              let answer = try await CurlAnswer.get(
                "/v1/simulation", on: server,
                ["--data-binary", "@\(file)", "-H", "Expect:"] + chunked)
              #expect(answer.status == status, "\(size) bytes \(chunked)")
              let envelope = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8)
              #expect(envelope.error.code == (status == 413 ? .requestTooLarge : .invalidRequest))
            }
          }
          let status = try await server.client.status()
          #expect(status == Samples.status)
        }
      }
    }

    /// RFC 9110 §10.1.1: a client that asks before it sends its body gets an answer.
    @Test func `a client that expects 100-continue may send its body`() async throws {
      let rig = FakeRig()
      let body = #"{"action":"heat","celsius":50}"#
      try await withServer(rig) { server in
        let raw = try RawConnection(to: server.socketPath)
        raw.send(
          "POST /v1/simulation HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Expect: 100-continue\r\n\r\n")
        let first = await raw.read()
        #expect(first.hasPrefix("HTTP/1.1 100 "), "\(first)")
        raw.send(body)
        let second = await raw.read()
        #expect(second.hasPrefix("HTTP/1.1 200 "), "\(second)")
      }
      #expect(rig.commands == [.heat(celsius: 50)])
    }
  }
}
