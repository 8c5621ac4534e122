import API
import Console
import Foundation
import Testing

/// A service that takes a request and does not answer does not keep the caller for long.
@Suite(.timeLimit(.minutes(10))) struct RigClientTimeoutTests {
  @Test func `a hanging service is waited for only until the timeout`() async throws {
    let path = "/tmp/platen-hung-\(UInt64.random(in: 0...UInt64.max))"
    // The socket takes connections and never answers.
    let hung = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(hung)
      unlink(path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(hung, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(isBound == 0 && listen(hung, 16) == 0)
    let client = RigClient(socketPath: path)
    #expect(client.timeout == .seconds(60))
    let impatient = client.waiting(.milliseconds(100))
    for _ in 0..<2 {
      let error = await #expect(throws: RigClientError.self) {
        try await impatient.call(Operations.time)
      }
      guard case .interrupted(let socketPath, _)? = error else {
        Issue.record("\(error.map { "\($0)" } ?? "an answer")")
        continue
      }
      #expect(socketPath == path)
    }
    let error = await #expect(throws: RigClientError.self) {
      try await impatient.call(
        Operations.checkConfiguration, ConfigurationCheckRequest("a: 1"))
    }
    guard case .interrupted? = error else {
      Issue.record("\(error.map { "\($0)" } ?? "an answer")")
      return
    }
  }
}
