import API
import Console
import Devices
import Foundation
import Testing

extension ServerTests {
  /// A service that is told to stop does so at once, in spite of its clients.
  @Suite struct ShutdownTests {
    /// Stops a server whose grace and timeouts are longer than the time limit of these tests.
    private func stop(
      _ rig: FakeRig, streamGrace: Duration = .seconds(3600),
      after prepare: (RunningServer) async throws -> Void
    ) async throws {
      try await withServer(
        rig,
        edit: {
          ($0.shutdownGrace, $0.streamGrace) = (.seconds(3600), streamGrace)
          $0.idleTimeout = .seconds(3600)
          $0.unreadTimeout = .seconds(3600)
        }, prepare)
    }

    @Test func `open streams end`() async throws {
      var streams: [AsyncThrowingStream<RigEventItem, any Error>] = []
      try await stop(FakeRig()) { server in
        for _ in 0..<8 {
          let stream = server.client.events()
          var iterator = stream.makeAsyncIterator()
          let first = try await iterator.next()
          #expect(first == .listening)
          streams.append(stream)
        }
      }
      for stream in streams {
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
      }
    }

    @Test func `a listener that does not read is cut off`() async throws {
      let rig = FakeRig()
      var connection: RawConnection?
      try await stop(rig, streamGrace: .milliseconds(300)) { server in
        let raw = try RawConnection(to: server.socketPath)
        raw.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await raw.read().hasPrefix("HTTP/1.1 200"))
        // The data is more than the socket's buffers hold, so that the server's write has to wait.
        let reasons = Array(
          repeating: Word<InterruptionReason>(rawValue: String(repeating: "x", count: 1000)),
          count: 60)
        for _ in 0..<20 {
          rig.send(.readiness(ReadinessReport(state: "ready", reasons: reasons)))
        }
        // Another listener sees the last event: by then each event has been written or waits.
        for try await item in server.client.events(after: "none-0") {
          if case .event(let event, _) = item, event.id == 20 { break }
        }
        connection = raw
      }
      withExtendedLifetime(connection) {}
    }

    @Test func `a request that never ends is cut off`() async throws {
      var connections: [RawConnection] = []
      try await stop(FakeRig()) { server in
        for text in [
          "POST /v1/presses HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
          "GET /v1/sta", "",
        ] {
          let raw = try RawConnection(to: server.socketPath)
          raw.send(text)
          connections.append(raw)
        }
        _ = try await server.client.status()
      }
      withExtendedLifetime(connections) {}
    }

    @Test func `a press in flight still gets its answer`() async throws {
      let (gate, release) = AsyncStream.makeStream(of: Void.self)
      let rig = FakeRig(gate: gate)
      let report = try await withServer(rig) { server in
        async let report = server.client.call(Operations.shoot, PressSettings())
        for await _ in rig.entered { break }
        await server.stop()
        release.finish()
        return try await report
      }
      #expect(report == Samples.stored)
    }

    @Test func `a press without an end is given up after the grace`() async throws {
      let (gate, release) = AsyncStream.makeStream(of: Void.self)
      let rig = FakeRig(gate: gate)
      await #expect(throws: RigClientError.self) {
        try await withServer(rig, edit: { $0.shutdownGrace = .milliseconds(50) }) { server in
          async let report = server.client.call(Operations.shoot, PressSettings())
          for await _ in rig.entered { break }
          await server.stop()
          return try await report
        }
      }
      release.finish()
    }

    @Test func `the socket is gone afterwards`() async throws {
      let path = try await withServer(FakeRig()) { server in
        #expect(FileManager.default.fileExists(atPath: server.socketPath))
        return server.socketPath
      }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}
