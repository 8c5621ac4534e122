import Foundation
import Testing

@testable import Transfer

/// Requests with a limited rate.
@Suite(.timeLimit(.minutes(10))) struct HTTPClientLimitTests {
  /// 200 KB at 20 KiB a second take longer than a stall, with bursts that are shorter than a stall.
  @Test func `a rate limit holds in both directions and is no stall`() async throws {
    try await withReceivingServer { server in
      let bytes = somePicture(byteCount: 200_000)
      for (method, body) in [("PUT", HTTPBody.bytes(bytes)), ("GET", .none)] {
        let start = ContinuousClock.now
        let response = try await HTTPClient(userAgent: "tests/1").send(
          HTTPRequest(
            method: method, url: server.url + "slow", body: body, stallTimeout: .seconds(4),
            maximumResponseBytes: 400_000, maximumBytesPerSecond: 20 << 10))
        let elapsed = ContinuousClock.now - start
        #expect(response.isSuccess)
        // The first burst of an upload is free, and a download has none.
        #expect(elapsed > .seconds(method == "GET" ? 9 : 2), "\(method) took \(elapsed)")
      }
    }
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
