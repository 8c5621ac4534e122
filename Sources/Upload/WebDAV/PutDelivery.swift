import Digests
import Transfer

/// A delivery with a conditional `PUT` to the item's own name.
///
/// The name is checked before anything is sent. Only if the name was free then may its object be
/// replaced after the answer to the `PUT` was lost. If the check fails, the status 201 (created)
/// tells that the name was free.
struct PutDelivery {
  /// The ``ResumeState/kind`` for an object whose name was free before we began to send.
  static let resumeKind = "put"

  let exchange: ObjectExchange
  let journal: any DeliveryJournal
  let collection: CollectionURL
  /// The parts of the item's name; not empty.
  let name: [String]
  let storesMetadata: Bool

  /// Delivers the item.
  func run() async throws(DeliveryFailure) -> Receipt {
    let object = collection.url(name)
    let sent = ResumeState(kind: Self.resumeKind, session: object)
    var isReplacing = false
    var isFree = false
    do {
      switch try await exchange.lookAhead(object) {
      case .same(let receipt): return receipt
      case .absent: isFree = true
      case .hidden: break
      }
    } catch {
      // The name was free before an attempt of ours sent bytes that may have been cut or damaged.
      // Without that knowledge the object is not ours.
      guard error.code == .conflict, exchange.item.resumeState == sent else { throw error }
      isReplacing = true
    }
    let digests = try await digestFields()
    if storesMetadata, let receipt = try await storeMetadata(beside: object) { return receipt }
    if isFree, exchange.item.resumeState != sent { try await journal.keep(sent) }
    let headers = (isReplacing ? [] : conditions) + digests
    let response = try await exchange.send(exchange.put(object, headers: headers))
    guard response.status != 412 else {
      // The server took nothing of our first request, so the object there is not ours.
      if isFree, exchange.item.resumeState != sent { try await journal.keep(nil) }
      switch try await exchange.look(object) {
      case .same(let receipt): return receipt
      case .hidden: return try await insist(on: object, digests)
      // The object is gone meanwhile, or the condition means something else here.
      case .absent: throw exchange.failure(cannot: "store", object, response)
      }
    }
    guard Self.isStored(response, isReadBack: exchange.verification == .readBack) else {
      throw exchange.failure(cannot: "store", object, response)
    }
    var entityTag = response["ETag"]
    if exchange.verification == .readBack {
      // Created (RFC 9110 §15.3.2): the name was free before, though the check failed.
      if !isFree, !isReplacing, response.status == 201 { try await journal.keep(sent) }
      entityTag = try await exchange.verifyStored(object) ?? entityTag
    }
    return exchange.receipt(
      object, status: response.status,
      verification: exchange.verification == .readBack ? .readBack : .statusOnly,
      entityTag: entityTag, isDuplicate: false)
  }

  /// Sends the item to a name that is taken and that we may not read.
  ///
  /// The name belongs to the item alone, but an earlier attempt may have been cut off, and a simple
  /// server keeps the partial bytes. Only a server that replaces nothing is trusted to hold the
  /// whole item.
  private func insist(
    on object: String, _ digests: [HTTPHeader]
  ) async throws(DeliveryFailure) -> Receipt {
    let response = try await exchange.send(exchange.put(object, headers: digests))
    if [403, 405, 409, 412].contains(response.status) {
      return exchange.receiptOfHidden(object, status: response.status)
    }
    guard Self.isStored(response, isReadBack: false) else {
      throw exchange.failure(cannot: "store", object, response)
    }
    return exchange.receipt(
      object, status: response.status, verification: .statusOnly, entityTag: response["ETag"],
      isDuplicate: false)
  }

  /// Returns whether an answer says that the object is stored.
  ///
  /// A captive portal answers 200 to everything, and some storage reports errors with 200. Without
  /// a read-back, an answer 200 must therefore have an entity tag and no body.
  static func isStored(_ response: HTTPResponse, isReadBack: Bool) -> Bool {
    switch response.status {
    case 201, 204: true
    case 200: isReadBack || (response["ETag"] != nil && response.body.isEmpty)
    default: false
    }
  }

  private var conditions: [HTTPHeader] { [HTTPHeader("If-None-Match", "*")] }

  /// Compares the file with the item and returns the fields by which a server can check the bytes.
  ///
  /// The fields are `Content-MD5` (RFC 1864) and `Repr-Digest` (RFC 9530).
  private func digestFields() async throws(DeliveryFailure) -> [HTTPHeader] {
    let item = exchange.item
    let parts = try await exchange.hasher.verifiedParts(of: item, [0..<item.byteCount], [.md5])
    return [
      HTTPHeader("Content-MD5", ByteText.base64(parts.first?[.md5] ?? [])),
      HTTPHeader("Repr-Digest", "sha-256=:\(item.sha256Base64):"),
    ]
  }

  /// Stores the item's metadata under `<name>.json`.
  ///
  /// - Returns: the receipt if the item turns out to be there already.
  private func storeMetadata(beside object: String) async throws(DeliveryFailure) -> Receipt? {
    let url = collection.url(name.dropLast() + ["\(name.last ?? "").json"])
    let document = MetadataDocument(exchange.item)
    var response = try await exchange.send(document.put(url, exchange, headers: conditions))
    if response.status == 412 {
      // An earlier attempt has left the document, or it belongs to the item that is there.
      if case .same(let receipt) = try await exchange.look(object) { return receipt }
      // A document that may not be replaced stays as it is.
      response = try await exchange.send(document.put(url, exchange))
      if [403, 405, 409, 412].contains(response.status) { return nil }
    }
    guard Self.isStored(response, isReadBack: exchange.verification == .readBack) else {
      throw exchange.failure(cannot: "store", url, response)
    }
    return nil
  }
}
