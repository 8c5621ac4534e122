import Transfer

/// The requests of one delivery to a server, with its item, a lent client and its credentials.
struct ObjectExchange {
  let item: PendingDelivery
  let client: HTTPClient
  let credentials: HTTPCredentials?
  let verification: Receipt.Verification
  let http: HTTPSettings
  let hasher: FileHasher
  let wallNanoseconds: @Sendable () -> Int64

  /// Makes a request about the item, which moves `byteCount` bytes.
  func request(
    _ method: String, _ url: String, headers: [HTTPHeader] = [], body: HTTPBody = .none,
    byteCount: Int64 = 0
  ) -> HTTPRequest {
    http.request(
      method, url, headers: [HTTPHeader("Idempotency-Key", item.id)] + headers, body: body,
      byteCount: byteCount, credentials: credentials)
  }

  /// Makes the request that sends the item's bytes; the caller has compared them with the item.
  func put(_ url: String, headers: [HTTPHeader] = []) -> HTTPRequest {
    request(
      "PUT", url, headers: [HTTPHeader("Content-Type", item.contentType)] + headers,
      body: .file(path: item.path), byteCount: item.byteCount)
  }

  /// Sends a request.
  func send(_ request: HTTPRequest) async throws(DeliveryFailure) -> HTTPResponse {
    do {
      return try await client.send(request)
    } catch {
      throw DeliveryFailure(error)
    }
  }

  /// Gets an object and the digest of its bytes, up to the item's size.
  func read(
    _ url: String
  ) async throws(DeliveryFailure) -> (response: HTTPResponse, digest: ContentDigest) {
    let digest = ContentDigest(expectedByteCount: item.byteCount)
    do {
      let request = request("GET", url, byteCount: item.byteCount)
      return (try await client.send(request) { digest.add($0) }, digest)
    } catch {
      throw DeliveryFailure(error)
    }
  }

  /// The presence of the item at the target, as far as we may know.
  enum Presence: Hashable {
    /// The target holds the item, which the receipt proves.
    case same(Receipt)
    /// No object has the item's name.
    case absent
    /// The target does not show the object to us.
    case hidden
  }

  /// Checks whether the target holds the item.
  ///
  /// Credentials that may only write are intended, not a fault, unless items are to be read back.
  ///
  /// - Throws: ``DeliveryFailure`` with `conflict` when something else has the item's name.
  func look(_ object: String) async throws(DeliveryFailure) -> Presence {
    let (response, digest) = try await read(object)
    switch response.status {
    case 200 where digest.matches(item):
      return .same(
        receipt(
          object, status: response.status, verification: .readBack, entityTag: response["ETag"],
          isDuplicate: true))
    case 200:
      throw DeliveryFailure(
        .conflict, scope: .item,
        text: "the target holds something else as \"\(object)\"; it is left as it is", status: 200)
    case 404, 410:
      return .absent
    case 401, 403, 405, 501:
      guard verification != .readBack else { fallthrough }
      return .hidden
    default:
      throw failure(cannot: "show", object, response)
    }
  }

  /// Checks for the item before anything is sent.
  ///
  /// A refused check is no fault, even if the item is to be read back afterwards. Some servers
  /// answer 403 for a missing object, and others answer nothing but `PUT`.
  func lookAhead(_ object: String) async throws(DeliveryFailure) -> Presence {
    do {
      return try await look(object)
    } catch {
      guard let status = error.status, status != 200, error.code != .throttled else { throw error }
      return .hidden
    }
  }

  /// Reads back the stored object and compares it; removes a damaged object.
  ///
  /// - Returns: the object's entity tag.
  func verifyStored(_ url: String) async throws(DeliveryFailure) -> String? {
    let (response, digest) = try await read(url)
    guard response.status == 200 else { throw failure(cannot: "give back", url, response) }
    guard digest.matches(item) else {
      try await discard(url)
      throw DeliveryFailure(
        .corrupted, scope: .item,
        text: """
          the target holds other bytes than were sent as "\(url)": \
          \(digest.summary) instead of \(item.byteCount) bytes, SHA-256 \(item.sha256)
          """, status: response.status)
    }
    return response["ETag"]
  }

  /// Removes an unneeded object; after a failure it is overwritten later, or stays.
  func discard(_ url: String) async throws(DeliveryFailure) {
    do {
      _ = try await send(request("DELETE", url))
    } catch {
      if error.code == .cancelled { throw error }
    }
  }

  /// Makes the failure for an answer.
  func failure(cannot what: String, _ url: String, _ response: HTTPResponse) -> DeliveryFailure {
    DeliveryFailure(cannot: what, url, response, wallNanoseconds: wallNanoseconds())
  }

  /// Makes the receipt for an object that the target does not show, but whose name is taken.
  ///
  /// The name belongs to the item alone.
  func receiptOfHidden(_ object: String, status: Int) -> Receipt {
    receipt(object, status: status, verification: .statusOnly, entityTag: nil, isDuplicate: true)
  }

  func receipt(
    _ object: String, status: Int, verification: Receipt.Verification, entityTag: String?,
    isDuplicate: Bool
  ) -> Receipt {
    Receipt(
      url: object, remoteName: item.remoteName, sha256: item.sha256, verification: verification,
      status: status, entityTag: entityTag, isDuplicate: isDuplicate,
      wallNanoseconds: wallNanoseconds())
  }
}
