import Console
import TestSupport
import Testing
import Transfer

@testable import API

extension ServerTests {
  @Suite struct EventStreamTests {
    private func readiness(_ state: String) -> RigEvent.Payload {
      .readiness(ReadinessReport(state: Word(rawValue: state)))
    }

    /// Reads until there are `count` items besides the beginning; acts once listening.
    private func collect(
      _ count: Int, from client: RigClient, after id: String? = nil,
      whenListening act: () -> Void = {}
    ) async throws -> [RigEventItem] {
      var result: [RigEventItem] = []
      for try await item in client.events(after: id) {
        if item == .listening {
          act()
          if count == 0 { break }
          continue
        }
        result.append(item)
        if result.count == count { break }
      }
      return result
    }

    private func numbers(_ items: [RigEventItem]) -> [UInt64] {
      items.compactMap { if case .event(let event, _) = $0 { event.id } else { nil } }
    }

    @Test func `every kind of event arrives`() async throws {
      let rig = FakeRig()
      let payloads: [RigEvent.Payload] = [
        .readiness(Samples.status.readiness), .press(Samples.stored),
        .progress(
          CaptureProgressReport(
            press: 42, step: .photoDelivered, count: 2, index: 1, kind: "photo", itemID: "a")),
        .interruption(
          InterruptionReport(
            reason: "cameraStalled", cause: "silence", beganNanoseconds: 5, endedNanoseconds: nil)),
        .thermal(Samples.status.thermal), .session(Samples.session),
        .delivery(
          DeliveryReport(
            itemID: "rig-7-000042", press: 42, state: "delivered", target: "archive",
            receipt: Samples.stored.receipt)),
        .configuration(SessionSamples.settings), .buttons(Samples.status.buttons),
        .targets(Samples.status.targets),
        .rotation(Samples.status.rotation), .handsFree(HandsFreeReport(secondsLeft: 2)),
        .movie(MovieSamples.recording),
      ]
      #expect(payloads.count == RigEvent.Kind.allCases.count)
      let items = try await withServer(rig) { server in
        try await collect(payloads.count, from: server.client) { payloads.forEach(rig.send) }
      }
      let received = items.compactMap { item -> RigEvent.Payload? in
        if case .event(let event, _) = item { event.payload } else { nil }
      }
      #expect(received == payloads)
    }

    @Test func `a new listener gets only new events`() async throws {
      let rig = FakeRig()
      let items = try await withServer(rig) { server in
        _ = try await collect(1, from: server.client) { rig.send(readiness("ready")) }
        return try await collect(1, from: server.client) { rig.send(readiness("notReady")) }
      }
      #expect(numbers(items) == [2])
    }

    @Test func `a listener resumes where it stopped`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let first = try await collect(2, from: server.client) {
          for _ in 0..<6 { rig.send(readiness("ready")) }
        }
        guard case .event(_, let id)? = first.last else {
          Issue.record("the last item is no event")
          return
        }
        let rest = try await collect(4, from: server.client, after: id)
        #expect(numbers(first) + numbers(rest) == [1, 2, 3, 4, 5, 6])
      }
    }

    @Test func `a listener is told of forgotten events`() async throws {
      let rig = FakeRig()
      try await withServer(rig, edit: { $0.eventHistoryLimit = 3 }) { server in
        let first = try await collect(1, from: server.client) { rig.send(readiness("ready")) }
        guard case .event(_, let id)? = first.first else {
          Issue.record("the first item is no event")
          return
        }
        for try await item in server.client.events() {
          if item == .listening { for _ in 2...10 { rig.send(readiness("ready")) } }
          if case .event(let event, _) = item, event.id == 10 { break }
        }
        let rest = try await collect(4, from: server.client, after: id)
        #expect(rest.first == .missed(MissedEvents(count: 6)))
        #expect(numbers(rest) == [8, 9, 10])
      }
    }

    /// Events that the rig loses on the way to the API are reported to present listeners.
    @Test func `a listener is told of events lost meanwhile`() async throws {
      let rig = FakeRig()
      let items = try await withServer(rig) { server in
        try await collect(5, from: server.client) {
          rig.lose(2)
          rig.send(readiness("ready"))
          rig.send(readiness("notReady"))
          rig.lose(1)
          rig.send(readiness("ready"))
        }
      }
      #expect(numbers(items) == [3, 4, 6])
      #expect(items.first == .missed(MissedEvents(count: 2)))
      #expect(items.dropFirst(3).first == .missed(MissedEvents(count: 1)))
    }

    @Test(arguments: ["anotherRun-1", "7", "", "-", "x-y", "anotherRun-99999999999999999999"])
    func `a listener with the ID of another run gets a notice`(_ id: String) async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        _ = try await collect(2, from: server.client) {
          rig.send(readiness("ready"))
          rig.send(readiness("ready"))
        }
        // libcurl omits a header without a value, as HTTP requires.
        guard !id.isEmpty else { return }
        let items = try await collect(3, from: server.client, after: id)
        #expect(items.first == .missed(MissedEvents(count: nil)))
        #expect(numbers(items) == [1, 2])
      }
    }

    @Test func `silence is filled with comments`() async throws {
      let lines = try await withServer(
        FakeRig(), edit: { $0.heartbeatInterval = .milliseconds(20) }
      ) { server in
        var lines: [String] = []
        let request = HTTPRequest(
          url: "http://localhost/v1/events", unixSocketPath: server.socketPath)
        for try await line in HTTPClient(userAgent: "test").lines(of: request) {
          lines.append(line)
          if lines.count == 5 { break }
        }
        return lines
      }
      #expect(lines == [": listening", "", ": alive", "", ": alive"])
    }

    @Test func `a listener too many is refused until another one leaves`() async throws {
      try await withServer(FakeRig(), edit: { $0.maximumListeners = 2 }) { server in
        var first: AsyncThrowingStream<RigEventItem, any Error>? = server.client.events()
        let second = server.client.events()
        for stream in [first, second] {
          var iterator = stream?.makeAsyncIterator()
          #expect(try await iterator?.next() == .listening)
        }
        let answer = try await CurlAnswer.get("/v1/events", on: server)
        #expect(answer.status == 503)
        let envelope = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8)
        #expect(envelope.error.code == .tooManyListeners)
        await #expect(throws: RigClientError.refused(envelope.error)) {
          try await collect(0, from: server.client)
        }
        let status = try await server.client.status()
        #expect(status == Samples.status)

        // The place is free as soon as the server sees the end, which no client can observe.
        first = nil
        try await eventually {
          do {
            _ = try await collect(0, from: server.client)
            return true
          } catch RigClientError.refused(let error) where error.code == .tooManyListeners {
            return false
          }
        }
        withExtendedLifetime(second) {}
      }
    }
  }
}
