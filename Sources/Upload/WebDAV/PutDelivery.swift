import Digests
import Transfer

/// One delivery with a conditional `PUT` of the item's own name.
///
/// It looks before it sends: only of a name that held nothing then is it known, when the answer to
/// the `PUT` is lost, that what the name holds afterwards may be replaced. Where the look fails, the
/// server's word that it has created the object tells the same.
struct PutDelivery {
  /// What ``ResumeState/kind`` says of an object whose name held nothing before we began to send.
  static let resumeKind = "put"

  let exchange: ObjectExchange
  let journal: any DeliveryJournal
  let collection: CollectionURL
  /// The parts of the item's name; not empty.
  let name: [String]
  let storesMetadata: Bool
  let hasher: FileHasher

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
      // The name held nothing before an attempt of ours sent something to it, which may have been
      // cut or damaged on its way. Where that is not known it is somebody else's.
      guard error.code == .conflict, exchange.item.resumeState == sent else { throw error }
      isReplacing = true
    }
    if storesMetadata, let receipt = try await storeMetadata(beside: object) { return receipt }
    if isFree, exchange.item.resumeState != sent { try await journal.keep(sent) }
    let headers = (isReplacing ? [] : conditions) + (try await digestFields())
    let response = try await exchange.send(exchange.put(object, headers: headers))
    guard response.status != 412 else {
      // Nothing was taken of the first thing that we sent: what is there is not ours.
      if isFree, exchange.item.resumeState != sent { try await journal.keep(nil) }
      switch try await exchange.look(object) {
      case .same(let receipt): return receipt
      case .hidden: return try await insist(on: object)
      // It is gone meanwhile, or the condition means something else here.
      case .absent: throw exchange.failure(cannot: "store", object, response)
      }
    }
    guard Self.isStored(response, isReadBack: exchange.verification == .readBack) else {
      throw exchange.failure(cannot: "store", object, response)
    }
    var entityTag = response["ETag"]
    if exchange.verification == .readBack {
      // Created (RFC 9110 §15.3.2): the name held nothing before, though we could not look.
      if !isFree, !isReplacing, response.status == 201 { try await journal.keep(sent) }
      entityTag = try await exchange.verifyStored(object) ?? entityTag
    }
    return exchange.receipt(
      object, status: response.status,
      verification: exchange.verification == .readBack ? .readBack : .statusOnly,
      entityTag: entityTag, isDuplicate: false)
  }

  /// Sends the item to a name that is taken and that we may not look at.
  ///
  /// The name is the item's alone, but an attempt before this one may have been cut on its way, and
  /// a simple server keeps what it got. Only one that replaces nothing has what it took whole.
  private func insist(on object: String) async throws(DeliveryFailure) -> Receipt {
    let response = try await exchange.send(
      exchange.put(object, headers: try await digestFields()))
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

  /// Whether an answer says that the object is stored.
  ///
  /// 200 is how a captive portal answers to everything, and some storage tells of errors under it;
  /// what is not read back must therefore come with an entity tag and without a body.
  static func isStored(_ response: HTTPResponse, isReadBack: Bool) -> Bool {
    switch response.status {
    case 201, 204: true
    case 200: isReadBack || (response["ETag"] != nil && response.body.isEmpty)
    default: false
    }
  }

  private var conditions: [HTTPHeader] { [HTTPHeader("If-None-Match", "*")] }

  /// The fields with which a server can check what it gets: `Content-MD5` (RFC 1864) and
  /// `Repr-Digest` (RFC 9530).
  private func digestFields() async throws(DeliveryFailure) -> [HTTPHeader] {
    let item = exchange.item
    let md5 = try await hasher.digest(ofPart: 0..<item.byteCount, of: item.path, .md5)
    return [
      HTTPHeader("Content-MD5", ByteText.base64(md5)),
      HTTPHeader("Repr-Digest", "sha-256=:\(item.sha256Base64):"),
    ]
  }

  /// Stores what is known of the item under `<name>.json`.
  ///
  /// - Returns: the receipt when it turns out that the item is there already.
  private func storeMetadata(beside object: String) async throws(DeliveryFailure) -> Receipt? {
    let url = collection.url(name.dropLast() + ["\(name.last ?? "").json"])
    let document = MetadataDocument(exchange.item)
    var response = try await exchange.send(document.put(url, exchange, headers: conditions))
    if response.status == 412 {
      // An attempt before this one has left it, or it belongs to the item that is there.
      if case .same(let receipt) = try await exchange.look(object) { return receipt }
      // What may not be replaced stays as it is.
      response = try await exchange.send(document.put(url, exchange))
      if [403, 405, 409, 412].contains(response.status) { return nil }
    }
    guard Self.isStored(response, isReadBack: exchange.verification == .readBack) else {
      throw exchange.failure(cannot: "store", url, response)
    }
    return nil
  }
}
