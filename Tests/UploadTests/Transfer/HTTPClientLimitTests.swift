import Foundation
import Testing

@testable import Transfer

/// Requests with a limited rate.
@Suite(.timeLimit(.minutes(10))) struct HTTPClientLimitTests {
  @Test func `a body is received no faster than allowed`() async throws {
    try await withReceivingServer { server in
      let bytes = somePicture(byteCount: 40_000)
      try server.place(bytes, as: "slow")
      let client = HTTPClient(userAgent: "tests/1")
      let request = HTTPRequest(url: server.url + "slow", maximumBytesPerSecond: 40_000)
      let start = ContinuousClock.now
      let response = try await client.send(request)
      #expect(response.body == bytes)
      #expect(ContinuousClock.now - start >= .milliseconds(700))
    }
  }

  /// Pauses between two bursts must not last as long as a stall.
  @Test(
    arguments: [
      (1, 16 << 10), (20 << 10, 16 << 10), (100 << 10, 25 << 10), (256 << 10, 64 << 10),
      (1 << 40, 64 << 10),
    ] as [(Int64, Int)])
  func `a burst is a quarter of a second within libcurl's bounds`(rate: Int64, byteCount: Int) {
    #expect(Exchange.burstByteCount(at: rate) == byteCount)
  }

  /// libcurl keeps a buffer after a name that was not found, and then refuses another size for it.
  @Test func `an unresolved name does not harm later requests`() async throws {
    try await withReceivingServer { server in
      let client = HTTPClient(userAgent: "tests/1")
      let request = { (url: String, limit: Int64?) in
        HTTPRequest(
          method: "PUT", url: url, body: .bytes([1, 2, 3]), maximumBytesPerSecond: limit)
      }
      for limit in [40 << 10, nil, 80 << 10] as [Int64?] {
        await #expect(throws: TransferError.self) {
          try await client.send(request("http://no-such-host.invalid/", limit))
        }
        let response = try await client.send(request(server.url + "found", limit))
        #expect(response.isSuccess)
      }
    }
  }
}
