import Synchronization
import Transfer

/// A pool of clients, each lent to one delivery at a time.
///
/// Simultaneous deliveries have separate connections, and later deliveries reuse them.
final class ClientPool<Client: TransferClient>: Sendable {
  private let make: @Sendable () -> Client
  private let idle = Mutex<[Client]>([])

  /// Makes a pool.
  ///
  /// - Parameter make: makes a client when all others are lent.
  init(make: @escaping @Sendable () -> Client) {
    self.make = make
  }

  /// Lends a client while a closure runs; several clients may be lent at once.
  ///
  /// From its first wait on, the closure runs on the client's thread.
  func withClient<Value>(
    _ body: (Client) async throws(DeliveryFailure) -> Value
  ) async throws(DeliveryFailure) -> Value {
    let client = idle.withLock { $0.popLast() } ?? make()
    defer { idle.withLock { $0.append(client) } }
    return try await withTaskExecutorPreference(client.tasks) {
      () async throws(DeliveryFailure) -> Value in
      try await body(client)
    }
  }
}

/// A pool of HTTP clients, which share the known authentication schemes of their servers.
typealias HTTPClientPool = ClientPool<HTTPClient>

extension ClientPool where Client == HTTPClient {
  convenience init(userAgent: String) {
    let authentication = AuthenticationMemory()
    self.init { HTTPClient(userAgent: userAgent, authentication: authentication) }
  }
}
