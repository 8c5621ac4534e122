import Console
import Foundation
import Logging
import Testing
import TestSupport

@testable import API

@Suite struct ConnectionSharesTests {
  @Test func `no account has more than its share`() {
    let shares = ConnectionShares(limit: 2)
    #expect(shares.enter(.user(7)) && shares.enter(.user(7)))
    #expect(!shares.enter(.user(7)))
    #expect(shares.enter(.user(8)))
    shares.leave(.user(7))
    #expect(shares.enter(.user(7)) && !shares.enter(.user(7)))
    for _ in 1...2 { shares.leave(.user(7)) }
    #expect(shares.enter(.user(7)))
  }

  @Test(arguments: [(32, 128, 56), (1, 66, 25), (1000, 2064, 1024), (32, 20, 4)])
  func `a share is half of the places and some more`(
    _ listeners: Int, _ connections: Int, _ share: Int
  ) {
    var configuration = APIConfiguration(socketPath: "/s")
    configuration.maximumListeners = listeners
    configuration.maximumConnections = connections
    #expect(configuration.connectionShare == share)
  }
}

extension ServerTests {
  /// Connections held open by clients that send nothing, and by clients that do not read.
  @Suite(.timeLimit(.minutes(10))) struct HeldConnectionTests {
    @Test func `a single account cannot hold all connections`() async throws {
      // An account may hold four of twenty, and none of them times out meanwhile.
      let edit: (inout APIConfiguration) -> Void = {
        $0.maximumConnections = 20
        $0.idleTimeout = .seconds(600)
      }
      try await withServer(FakeRig(), edit: edit) { server in
        var held: [RawConnection] = []
        for _ in 1...4 {
          let connection = try RawConnection(to: server.socketPath)
          // The answer proves that the server has accepted the connection.
          connection.send("GET /healthz HTTP/1.1\r\nHost: rig\r\n\r\n")
          #expect(await connection.read().hasPrefix("HTTP/1.1 200"))
          connection.send("GET /v1/status HTTP/1.1\r\n")
          held.append(connection)
        }
        let fifth = try RawConnection(to: server.socketPath)
        fifth.send("GET /v1/status HTTP/1.1\r\nHost: rig\r\nConnection: close\r\n\r\n")
        #expect(await fifth.read() == "")
        held[0].send("Host: rig\r\nConnection: close\r\n\r\n")
        #expect(await held[0].readToTheEnd().contains("HTTP/1.1 200"))
        // Their places are free a moment later.
        held.removeAll()
        try await eventually { (try? await server.client.status()) != nil }
      }
    }

    @Test func `a client that does not read loses its connection`() async throws {
      let rig = FakeRig()
      let edit: (inout APIConfiguration) -> Void = { $0.unreadTimeout = .milliseconds(300) }
      try await withServer(rig, edit: edit) { server in
        let connection = try RawConnection(to: server.socketPath)
        // Many unread answers are more than the kernel keeps.
        let request = "GET /v1/status HTTP/1.1\r\nHost: rig\r\n\r\n"
        connection.send(String(repeating: request, count: 2000))
        try await eventually { connection.isHungUp }
        var answers = 0
        while case let text = await connection.read(), !text.isEmpty {
          answers += text.components(separatedBy: "HTTP/1.1 200").count - 1
        }
        #expect(answers > 0 && answers < 2000, "\(answers)")
        _ = try await server.client.status()
      }
    }

    /// Reading in a trickle does not hold a large answer longer than not reading at all.
    @Test func `a client that reads too slowly loses its connection`() async throws {
      let log = FakeLog()
      let line = String(repeating: "x", count: 2000)
      for _ in 1...2000 { log.add(.info, "platend", line) }
      // No client reads as fast as this rate.
      let edit: (inout APIConfiguration) -> Void = {
        $0.unreadTimeout = .milliseconds(20)
        $0.leastReadingRate = 1_000_000_000
      }
      try await withServer(FakeRig(), log: log, edit: edit) { server in
        let connection = try RawConnection(to: server.socketPath)
        connection.send(
          "GET /v1/log?limit=2000 HTTP/1.1\r\nHost: rig\r\nConnection: close\r\n\r\n")
        var bytes = 0
        while case let text = await connection.read(atMost: 1024), !text.isEmpty {
          bytes += text.utf8.count
        }
        #expect(bytes > 0 && bytes < 4_000_000, "\(bytes)")
        _ = try await server.client.status()
      }
    }
  }
}
