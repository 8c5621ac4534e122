import Transfer

/// A target on a WebDAV server such as nginx or Apache (RFC 4918), or on a `PUT`-only server.
///
/// With `commit: .move` an item is sent with `PUT` under a hidden name beside its own,
/// `.<name>.upload`. The item is read back and compared, and only then moved to its name with
/// `MOVE` and `Overwrite: F`. Without a read-back, the file is compared again before the move. So
/// no partial item is visible, and an existing item is never replaced. If the answer to a `MOVE`
/// was lost, the next attempt finds the object and compares it.
///
/// With `commit: .put` an item is sent under its own name with `If-None-Match: *` (RFC 9110
/// §13.1.2). A server that honors the condition never replaces anything. After `412` the existing
/// object is compared.
package struct WebDAVTarget: UploadTarget {
  private let configuration: WebDAVConfiguration
  private let collection: CollectionURL
  private let clients: HTTPClientPool
  private let hasher = FileHasher()
  private let wallNanoseconds: @Sendable () -> Int64

  /// Makes a target; nothing is connected yet.
  ///
  /// - Throws: ``DeliveryFailure`` with `blocked` when the URL cannot be used.
  package init(
    _ configuration: WebDAVConfiguration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds
  ) throws(DeliveryFailure) {
    guard let collection = CollectionURL(configuration.url) else {
      throw DeliveryFailure(unusableURL: configuration.url)
    }
    self.configuration = configuration
    self.collection = collection
    self.wallNanoseconds = wallNanoseconds
    clients = HTTPClientPool(userAgent: configuration.http.userAgent)
  }

  /// The target's URL.
  package var description: String { collection.url([]) }

  /// Delivers an item.
  ///
  /// - Throws: ``DeliveryFailure``.
  package func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    guard let name = CollectionURL.parts(ofName: delivery.remoteName) else {
      throw DeliveryFailure(badName: delivery.remoteName, cannotBe: "part of a URL's path")
    }
    var credentials: HTTPCredentials?
    if let basic = configuration.credentials {
      // The password is read each time, so that a changed one is used without a restart.
      credentials = HTTPCredentials(user: basic.user, password: try basic.password.read())
    }
    return try await clients.withClient { client throws(DeliveryFailure) in
      let exchange = ObjectExchange(
        item: delivery, client: client, credentials: credentials,
        verification: configuration.verification, http: configuration.http, hasher: hasher,
        wallNanoseconds: wallNanoseconds)
      switch configuration.commit {
      case .move:
        return try await MoveDelivery(
          exchange: exchange, journal: journal, collection: collection, name: name,
          storesMetadata: configuration.storesMetadata
        ).run()
      case .put:
        return try await PutDelivery(
          exchange: exchange, journal: journal, collection: collection, name: name,
          storesMetadata: configuration.storesMetadata
        ).run()
      }
    }
  }
}
