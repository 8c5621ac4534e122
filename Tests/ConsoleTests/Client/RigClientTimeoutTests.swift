import API
import Console
import TestSupport
import Testing

/// A service that takes a request and does not answer does not keep the caller for long.
@Suite(.timeLimit(.minutes(10))) struct RigClientTimeoutTests {
  @Test func `a hanging service is waited for only until the timeout`() async throws {
    let hung = try SilentSocket()
    defer { withExtendedLifetime(hung) {} }
    let client = RigClient(socketPath: hung.path)
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
      #expect(socketPath == hung.path)
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
