import Transfer

/// Delivers items to a WebDAV server such as nginx or Apache, RFC 4918.
///
/// An item is sent with `PUT` under a hidden name beside its own, `.<name>.part`, read back and
/// compared, and only then moved to its name with `MOVE` and `Overwrite: F`. So nobody sees half an
/// item, and an item that is there is never replaced: if the answer to a `MOVE` was lost, the next
/// attempt finds the object, compares it, and is done.
public struct WebDAVTarget: UploadTarget {
  private let configuration: WebDAVConfiguration
  private let collection: CollectionURL
  private let client: HTTPClient
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
    client = HTTPClient(userAgent: configuration.http.userAgent)
  }

  /// The target's URL.
  public var description: String { collection.url([]) }

  /// Delivers an item.
  ///
  /// - Throws: ``DeliveryFailure``.
  public func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    guard let name = CollectionURL.parts(ofName: delivery.remoteName), let last = name.last else {
      throw DeliveryFailure(
        .badName, scope: .item,
        text: "the item's name \"\(delivery.remoteName)\" cannot be part of a URL's path")
    }
    let object = collection.url(name)
    let part = collection.url(name.dropLast() + [".\(last).part"])
    // Only an attempt before this one can have left the object there; asking costs a round trip.
    if delivery.attempts > 0, let receipt = try await existing(delivery, at: object) {
      return receipt
    }
    try await store(delivery, at: part, collections: collection.collections(above: name))
    var entityTag: String?
    if configuration.verification == .readBack {
      entityTag = try await verifyStored(delivery, at: part)
    }
    return try await publish(delivery, from: part, to: object, entityTag: entityTag)
  }

  /// Sends the item's bytes under its hidden name, and makes the collections if they are missing.
  private func store(
    _ delivery: PendingDelivery, at part: String, collections: [String]
  ) async throws(DeliveryFailure) {
    var request = try self.request("PUT", part, for: delivery, byteCount: delivery.byteCount)
    request.headers.append(HTTPHeader("Content-Type", delivery.contentType))
    request.body = .file(path: delivery.path)
    var response = try await send(request)
    // RFC 4918 wants 409 for a missing collection; nginx answers 500, others 404.
    if [404, 409, 500].contains(response.status), try await make(collections, for: delivery) {
      response = try await send(request)
    }
    // WebDAV knows no 200 here: that is how a captive portal answers to everything.
    guard [201, 204].contains(response.status) else {
      throw failure(cannot: "store", part, response)
    }
  }

  /// Makes the collections that are missing, innermost first; returns whether any was.
  private func make(
    _ collections: [String], for delivery: PendingDelivery
  ) async throws(DeliveryFailure) -> Bool {
    var missing: [String] = []
    for url in collections {
      let response = try await send(try request("MKCOL", url, for: delivery))
      if response.status == 201 {
        missing.append(url)
        break
      }
      // 405: it exists. Anything but "its parent is missing" will be said again by the next PUT.
      guard [404, 409].contains(response.status) else { break }
      missing.append(url)
    }
    guard !missing.isEmpty else { return false }
    // What was refused for want of a parent can be made now, from the outside in.
    for url in missing.reversed() {
      let response = try await send(try request("MKCOL", url, for: delivery))
      guard [201, 405].contains(response.status) else {
        throw failure(cannot: "make the collection", url, response)
      }
    }
    return true
  }

  /// Reads back what was stored and compares it.
  ///
  /// - Returns: its entity tag.
  private func verifyStored(
    _ delivery: PendingDelivery, at part: String
  ) async throws(DeliveryFailure) -> String? {
    let (response, digest) = try await read(delivery, at: part)
    guard response.status == 200 else { throw failure(cannot: "give back", part, response) }
    guard digest.matches(delivery) else {
      try await discard(part, for: delivery)
      throw DeliveryFailure(
        .corrupted, scope: .item,
        text: """
          the target holds other bytes than were sent as "\(part)": \
          \(digest.summary) instead of \(delivery.byteCount) bytes, SHA-256 \(delivery.sha256)
          """, status: response.status)
    }
    return response["ETag"]
  }

  /// Gives the stored item its name.
  private func publish(
    _ delivery: PendingDelivery, from part: String, to object: String, entityTag: String?
  ) async throws(DeliveryFailure) -> Receipt {
    var request = try self.request("MOVE", part, for: delivery)
    request.headers.append(HTTPHeader("Destination", object))
    request.headers.append(HTTPHeader("Overwrite", "F"))
    let response = try await send(request)
    switch response.status {
    case 201, 204:
      return receipt(
        for: delivery, at: object, status: response.status,
        verification: configuration.verification, entityTag: response["ETag"] ?? entityTag,
        isDuplicate: false)
    case 200...299, 404, 412:
      // There already, or moved by a request whose answer was lost, or an answer with no meaning
      // here: what the object holds decides.
      let found: Receipt?
      do {
        found = try await existing(delivery, at: object)
      } catch {
        if error.code == .conflict { try await discard(part, for: delivery) }
        throw error
      }
      guard let found else { throw failure(cannot: "move to its name", part, response) }
      try await discard(part, for: delivery)
      return found
    default:
      throw failure(cannot: "move to its name", part, response)
    }
  }

  /// Looks whether the target holds the item.
  ///
  /// - Returns: `nil` when there is nothing of its name.
  /// - Throws: ``DeliveryFailure`` with `conflict` when something else has its name.
  private func existing(
    _ delivery: PendingDelivery, at object: String
  ) async throws(DeliveryFailure) -> Receipt? {
    let (response, digest) = try await read(delivery, at: object)
    switch response.status {
    case 200 where digest.matches(delivery):
      return receipt(
        for: delivery, at: object, status: response.status, verification: .readBack,
        entityTag: response["ETag"], isDuplicate: true)
    case 200:
      throw DeliveryFailure(
        .conflict, scope: .item,
        text: "the target holds something else as \"\(object)\"; it is left as it is", status: 200)
    case 404, 410:
      return nil
    default:
      throw failure(cannot: "show", object, response)
    }
  }

  private func read(
    _ delivery: PendingDelivery, at url: String
  ) async throws(DeliveryFailure) -> (HTTPResponse, ContentDigest) {
    let digest = ContentDigest(expectedByteCount: delivery.byteCount)
    let request = try self.request("GET", url, for: delivery, byteCount: delivery.byteCount)
    do {
      return (try await client.send(request) { digest.add($0) }, digest)
    } catch {
      throw DeliveryFailure(error)
    }
  }

  /// Removes a hidden object that nobody needs; if that fails it is overwritten one day, or stays.
  private func discard(_ part: String, for delivery: PendingDelivery) async throws(DeliveryFailure)
  {
    do {
      _ = try await send(try request("DELETE", part, for: delivery))
    } catch {
      if error.code == .cancelled { throw error }
    }
  }

  private func send(_ request: HTTPRequest) async throws(DeliveryFailure) -> HTTPResponse {
    do {
      return try await client.send(request)
    } catch {
      throw DeliveryFailure(error)
    }
  }

  private func request(
    _ method: String, _ url: String, for delivery: PendingDelivery, byteCount: Int64 = 0
  ) throws(DeliveryFailure) -> HTTPRequest {
    var credentials: HTTPCredentials?
    if let basic = configuration.credentials {
      credentials = HTTPCredentials(user: basic.user, password: try basic.password.read())
    }
    return configuration.http.request(
      method, url, headers: [HTTPHeader("Idempotency-Key", delivery.id)], byteCount: byteCount,
      credentials: credentials)
  }

  private func failure(
    cannot what: String, _ url: String, _ response: HTTPResponse
  ) -> DeliveryFailure {
    DeliveryFailure(cannot: what, url, response, wallNanoseconds: wallNanoseconds())
  }

  private func receipt(
    for delivery: PendingDelivery, at object: String, status: Int,
    verification: Receipt.Verification, entityTag: String?, isDuplicate: Bool
  ) -> Receipt {
    Receipt(
      url: object, remoteName: delivery.remoteName, sha256: delivery.sha256,
      verification: verification, status: status, entityTag: entityTag, isDuplicate: isDuplicate,
      wallNanoseconds: wallNanoseconds())
  }
}
