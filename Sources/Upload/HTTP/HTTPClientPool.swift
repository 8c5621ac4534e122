import Synchronization
import Transfer

/// A pool of clients, each lent to one delivery at a time.
///
/// Simultaneous deliveries have separate connections, and later deliveries reuse them.
final class HTTPClientPool: Sendable {
  private let userAgent: String
  private let authentication = AuthenticationMemory()
  private let idle = Mutex<[HTTPClient]>([])

  init(userAgent: String) {
    self.userAgent = userAgent
  }

  /// Lends a client while a closure runs; several clients may be lent at once.
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
