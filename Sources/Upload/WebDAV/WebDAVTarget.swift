import Transfer

/// Delivers items to a WebDAV server such as nginx or Apache (RFC 4918), or to one that knows
/// `PUT` only.
///
/// With `commit: .move` an item is sent with `PUT` under a hidden name beside its own,
/// `.<name>.upload`, read back and compared, and only then moved to its name with `MOVE` and
/// `Overwrite: F`. So nobody sees half an item, and an item that is there is never replaced: if the
/// answer to a `MOVE` was lost, the next attempt finds the object, compares it, and is done.
///
/// With `commit: .put` it is sent under its own name with `If-None-Match: *` (RFC 9110 §13.1.2), so
/// that a server which honours that never replaces anything; `412` makes us compare what is there.
public struct WebDAVTarget: UploadTarget {
  private let configuration: WebDAVConfiguration
  private let collection: CollectionURL
  private let clients: HTTPClientPool
  private let hasher = FileHasher()
  private let wallNanoseconds: @Sendable () -> Int64

  /// Makes a target; nothing is connected yet.
  ///
  /// - Throws: ``DeliveryFailure`` with `blocked` when the URL cannot be used.
  public init(
    _ configuration: WebDAVConfiguration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds
  ) throws(DeliveryFailure) {
    guard let collection = CollectionURL(configuration.url) else {
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: """
          "\(redactedURL(configuration.url))" is no URL to deliver to: expected http or https, \
          a host, and no user, password, query or fragment
          """)
    }
    self.configuration = configuration
    self.collection = collection
    self.wallNanoseconds = wallNanoseconds
    clients = HTTPClientPool(userAgent: configuration.http.userAgent)
  }

  /// The target's URL.
  public var description: String { collection.url([]) }

  /// Delivers an item.
  ///
  /// - Throws: ``DeliveryFailure``.
  public func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    guard let name = CollectionURL.parts(ofName: delivery.remoteName), !name.isEmpty else {
      throw DeliveryFailure(
        .badName, scope: .item,
        text: "the item's name \"\(delivery.remoteName)\" cannot be part of a URL's path")
    }
    var credentials: HTTPCredentials?
    if let basic = configuration.credentials {
      // Read anew each time, so that a changed password is used without a restart.
      credentials = HTTPCredentials(user: basic.user, password: try basic.password.read())
    }
    return try await clients.withClient { client throws(DeliveryFailure) in
      let exchange = ObjectExchange(
        item: delivery, client: client, credentials: credentials,
        verification: configuration.verification, http: configuration.http,
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
          storesMetadata: configuration.storesMetadata, hasher: hasher
        ).run()
      }
    }
  }
}
