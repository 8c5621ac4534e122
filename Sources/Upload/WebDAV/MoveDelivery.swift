import Transfer

/// A delivery under a hidden name that ends in a move to the item's own name.
struct MoveDelivery {
  /// Returns our kind of ``ResumeState`` for a complete hidden object, whose URL is the session.
  ///
  /// The kind tells whether the object was read back and compared, or is stored by the server's
  /// word.
  static func resumeKind(_ verification: Receipt.Verification) -> String {
    verification == .readBack ? "webdavRead" : "webdavStored"
  }

  let exchange: ObjectExchange
  let journal: any DeliveryJournal
  let collection: CollectionURL
  /// The parts of the item's name; not empty.
  let name: [String]
  let storesMetadata: Bool

  /// Delivers the item.
  func run() async throws(DeliveryFailure) -> Receipt {
    let object = collection.url(name)
    let part = hidden(name)
    // An earlier attempt may have left the object there. If that attempt was not counted, the
    // answer to `MOVE` tells. An extra request would cost every item a round trip.
    if exchange.item.attempts > 0, case .same(let receipt) = try await exchange.lookAhead(object) {
      return receipt
    }
    try await exchange.hasher.verify(exchange.item)
    if storesMetadata, let receipt = try await storeMetadata(beside: object) { return receipt }
    if isComplete(part) {
      // The server has the picture already; only its name is missing.
      let moved = try await move(part, to: object, overwrites: false)
      if moved.status != 404 {
        return try await settle(moved, part, as: object, entityTag: nil)
      }
    }
    let stored = try await store(exchange.put(part))
    guard [201, 204].contains(stored.status) else {
      throw exchange.failure(cannot: "store", part, stored)
    }
    var entityTag: String?
    if exchange.verification == .readBack {
      entityTag = try await exchange.verifyStored(part)
    } else {
      // The file may have been damaged while it was sent, which the server's status does not tell.
      try await exchange.hasher.verify(exchange.item)
    }
    let moved = try await move(part, to: object, overwrites: false)
    do {
      return try await settle(moved, part, as: object, entityTag: entityTag)
    } catch {
      // The next attempt need not send the picture again.
      if error.code != .conflict {
        try await journal.keep(
          ResumeState(kind: Self.resumeKind(exchange.verification), session: part))
      }
      throw error
    }
  }

  /// Returns whether an earlier attempt has left the hidden object complete.
  private func isComplete(_ part: String) -> Bool {
    guard let state = exchange.item.resumeState else { return false }
    return state.kind == Self.resumeKind(exchange.verification) && state.session == part
  }

  /// Returns the URL of the hidden name beside a name: `.<name>.upload`.
  ///
  /// Nextcloud and ownCloud refuse `.part`, the ending that their own clients use.
  private func hidden(_ name: [String]) -> String {
    collection.url(name.dropLast() + [".\(name.last ?? "").upload"])
  }

  /// Sends a `PUT`, and makes the collections if they are missing.
  ///
  /// WebDAV does not use 200 here, but a captive portal answers 200 to everything.
  private func store(_ request: HTTPRequest) async throws(DeliveryFailure) -> HTTPResponse {
    let response = try await exchange.send(request)
    // RFC 4918 demands 409 for a missing collection; nginx answers 500, and others answer 404. A
    // proxy answers 502 when the server has answered and closed before it had the whole body.
    guard [404, 409, 500, 502].contains(response.status), try await makeCollections() else {
      return response
    }
    return try await exchange.send(request)
  }

  /// Makes the missing collections, innermost first; returns whether any was missing.
  private func makeCollections() async throws(DeliveryFailure) -> Bool {
    var missing: [String] = []
    for url in collection.collections(above: name) {
      let response = try await exchange.send(exchange.request("MKCOL", url))
      if response.status == 201 {
        missing.append(url)
        break
      }
      // 405: the collection exists. The next PUT reports again any problem but a missing parent.
      guard [404, 409].contains(response.status) else { break }
      missing.append(url)
    }
    guard !missing.isEmpty else { return false }
    // Collections refused for want of a parent can be made now, from the outside in.
    for url in missing.reversed() {
      let response = try await exchange.send(exchange.request("MKCOL", url))
      guard [201, 405].contains(response.status) else {
        throw exchange.failure(cannot: "make the collection", url, response)
      }
    }
    return true
  }

  /// Asks the server to move an object.
  ///
  /// A server behind a proxy that ends TLS takes the URL for another server's and answers 502 or
  /// 400. Some of these servers understand the path alone, which RFC 4918 §10.3 allows.
  private func move(
    _ part: String, to object: String, overwrites: Bool
  ) async throws(DeliveryFailure) -> HTTPResponse {
    func ask(_ destination: String) async throws(DeliveryFailure) -> HTTPResponse {
      try await exchange.send(
        exchange.request(
          "MOVE", part,
          headers: [
            HTTPHeader("Destination", destination),
            HTTPHeader("Overwrite", overwrites ? "T" : "F"),
          ]))
    }
    let response = try await ask(object)
    guard Self.mayBeBehindProxy(response) else { return response }
    let second = try await ask(String(object.dropFirst(collection.origin.count)))
    return [201, 204, 404, 412].contains(second.status) ? second : response
  }

  private static func mayBeBehindProxy(_ response: HTTPResponse) -> Bool {
    response.status == 400 || response.status == 502
  }

  private func failureToMove(_ part: String, _ response: HTTPResponse) -> DeliveryFailure {
    let failure = exchange.failure(cannot: "move to its name", part, response)
    guard Self.mayBeBehindProxy(response) else { return failure }
    return DeliveryFailure(
      failure.code, scope: failure.scope,
      text: failure.text
        + "; where a proxy ends TLS before the server, it has to rewrite the field Destination",
      status: failure.status, retryAfter: failure.retryAfter)
  }

  /// Judges the answer to the request that gives the stored item its name.
  private func settle(
    _ response: HTTPResponse, _ part: String, as object: String, entityTag: String?
  ) async throws(DeliveryFailure) -> Receipt {
    switch response.status {
    case 201, 204:
      return exchange.receipt(
        object, status: response.status,
        verification: exchange.verification == .readBack ? .readBack : .statusOnly,
        entityTag: response["ETag"] ?? entityTag, isDuplicate: false)
    case 200...299, 404, 412:
      // The object may be there already, or a request whose answer was lost may have moved it.
      // Other answers have no meaning here. The object's content decides.
      let found: ObjectExchange.Presence
      do {
        found = try await exchange.look(object)
      } catch {
        if error.code == .conflict { try await exchange.discard(part) }
        throw error
      }
      switch found {
      case .same(let receipt):
        try await exchange.discard(part)
        return receipt
      case .hidden where response.status == 412:
        try await exchange.discard(part)
        return exchange.receiptOfHidden(object, status: response.status)
      case .hidden, .absent: throw failureToMove(part, response)
      }
    default: throw failureToMove(part, response)
    }
  }

  /// Stores the item's metadata under `<name>.json`.
  ///
  /// - Returns: the receipt if the item turns out to be there already.
  private func storeMetadata(beside object: String) async throws(DeliveryFailure) -> Receipt? {
    let name = self.name.dropLast() + ["\(self.name.last ?? "").json"]
    let part = hidden(Array(name))
    let document = MetadataDocument(exchange.item)
    let response = try await store(document.put(part, exchange))
    guard [201, 204].contains(response.status) else {
      throw exchange.failure(cannot: "store", part, response)
    }
    let url = collection.url(Array(name))
    var moved = try await move(part, to: url, overwrites: false)
    if moved.status == 412 {
      // An earlier attempt has left the document, or it belongs to the item that is there.
      do {
        if case .same(let receipt) = try await exchange.look(object) {
          try await exchange.discard(part)
          return receipt
        }
      } catch {
        if error.code == .conflict { try await exchange.discard(part) }
        throw error
      }
      moved = try await move(part, to: url, overwrites: true)
    }
    guard [201, 204].contains(moved.status) else {
      throw failureToMove(part, moved)
    }
    return nil
  }
}
