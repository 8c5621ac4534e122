import Synchronization
import Transfer

/// Clients that are lent to one delivery each, so that deliveries that run at once have a
/// connection of their own and the next ones use it again.
final class HTTPClientPool: Sendable {
  private let userAgent: String
  private let authentication = AuthenticationMemory()
  private let idle = Mutex<[HTTPClient]>([])

  init(userAgent: String) {
    self.userAgent = userAgent
  }

  /// Lends a client for the time of a body; several may be lent at once.
  func withClient<Value>(
    _ body: (HTTPClient) async throws(DeliveryFailure) -> Value
  ) async throws(DeliveryFailure) -> Value {
    let client =
      idle.withLock { $0.popLast() }
      ?? HTTPClient(userAgent: userAgent, authentication: authentication)
    defer { idle.withLock { $0.append(client) } }
    return try await body(client)
  }
}
