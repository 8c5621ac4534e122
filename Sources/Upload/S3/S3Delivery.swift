import Digests
import Transfer

/// A delivery of one item to S3, with the code that both ways of sending share.
struct S3Delivery {
  /// The number of conflicts after which an operation is not retried.
  static let maximumConflictCount = 3

  let delivery: PendingDelivery
  let key: S3ObjectKey
  let checksums: S3Configuration.Checksums
  let partByteCount: Int64
  let sender: S3Sender
  let hasher: FileHasher
  let traits: S3ServerTraits
  let journal: any DeliveryJournal

  /// The presence of the object, as far as we may know.
  enum Presence: Hashable {
    /// The object is the item; `isCompared` when the server's own checksum says so.
    case same(isCompared: Bool, entityTag: String?)
    /// Something else has the object's name.
    case other
    case absent
    /// The server does not show the object to us.
    case hidden
  }

  /// The state that an earlier attempt to send the item in parts kept; `nil` for none.
  var begun: ResumeState? {
    delivery.resumeState.flatMap {
      [S3Target.resumeKind, S3Target.creationKind].contains($0.kind) ? $0 : nil
    }
  }

  /// The fields that describe the object.
  var objectHeaders: [HTTPHeader] {
    var metadata = delivery.metadata.filter { Self.canBeSent($0.key, $0.value) }
    metadata["sha256"] = delivery.sha256
    if Self.canBeSent("item", delivery.id) { metadata["item"] = delivery.id }
    return [HTTPHeader("Content-Type", delivery.contentType)]
      + metadata.sorted { $0.key < $1.key }.map { HTTPHeader("x-amz-meta-\($0.key)", $0.value) }
  }

  /// Sends a request with the condition that no existing object is replaced.
  ///
  /// A server that does not know the condition answers 501 and gets the request without it. If that
  /// request succeeds, later requests omit the condition, and an item that is sent twice replaces
  /// itself.
  ///
  /// - Returns: the answer, and whether its request carried the condition.
  func sendUnlessThere(
    _ call: S3Call
  ) async throws(DeliveryFailure) -> (answer: S3Answer, isConditional: Bool) {
    guard traits.takesConditions else { return (try await send(call), false) }
    var conditional = call
    conditional.headers.append(HTTPHeader("If-None-Match", "*"))
    let answer = try await send(conditional)
    guard answer.status == 501 else { return (answer, true) }
    let unconditional = try await send(call)
    if unconditional.isSuccess { traits.noteRefusedCondition() }
    return (unconditional, false)
  }

  /// Sends a request.
  func send(_ call: S3Call) async throws(DeliveryFailure) -> S3Answer {
    try await sender.send(call)
  }

  /// Looks for the object, if we may.
  ///
  /// - Parameter composite: the checksum of the object if it was made of parts.
  func look(composite: String? = nil) async throws(DeliveryFailure) -> Presence {
    let call = S3Call("HEAD", key, headers: [HTTPHeader("x-amz-checksum-mode", "ENABLED")])
    let answer = try await send(call)
    switch answer.status {
    case 200:
      guard let presence = Self.judge(answer.response, delivery, composite: composite) else {
        throw notS3(answer, "has no length or no entity tag")
      }
      return presence
    case 404, 410: return .absent
    case 408, 425, 429, 500, 502...599: throw sender.failure(cannot: "show", key, answer)
    default: return .hidden
    }
  }

  /// Compares an object, as a server shows it, with the item.
  ///
  /// - Returns: `nil` when the answer lacks a field that every S3 server sends.
  static func judge(
    _ response: HTTPResponse, _ delivery: PendingDelivery, composite: String?
  ) -> Presence? {
    guard let count = response["Content-Length"].flatMap({ Int64($0) }),
      let entityTag = response["ETag"], !entityTag.isEmpty
    else { return nil }
    guard count == delivery.byteCount else { return .other }
    let whole = ByteText.base64([UInt8](hexadecimal: delivery.sha256) ?? [])
    if let checksum = response["x-amz-checksum-sha256"] {
      if checksum == whole || checksum == composite {
        return .same(isCompared: true, entityTag: entityTag)
      }
      // The checksum of an object of other parts says nothing about ours.
      if !checksum.contains("-") { return .other }
    }
    if let claimed = response["x-amz-meta-sha256"], claimed.lowercased() != delivery.sha256 {
      return .other
    }
    return .same(isCompared: false, entityTag: entityTag)
  }

  /// Makes the receipt for an object that existed before.
  ///
  /// - Parameter status: the status that reported the object, for a server that does not show it.
  /// - Returns: `nil` when there is no object after all.
  /// - Throws: ``DeliveryFailure`` with `conflict` when the object is something else.
  func receiptOfDuplicate(
    _ presence: Presence, status: Int
  ) throws(DeliveryFailure) -> Receipt? {
    switch presence {
    case .absent:
      return nil
    case .other:
      throw DeliveryFailure(
        .conflict, scope: .item,
        text: """
          the target holds something else as "\(sender.location.url(key))"; it is left as it is
          """, status: status)
    case .same(let isCompared, let entityTag):
      return receipt(
        status: 200, entityTag: entityTag, isCompared: isCompared, isDuplicate: true)
    case .hidden:
      return receipt(status: status, entityTag: nil, isCompared: false, isDuplicate: true)
    }
  }

  func receipt(
    status: Int, entityTag: String?, isCompared: Bool, isDuplicate: Bool
  ) -> Receipt {
    Receipt(
      url: sender.location.url(key), remoteName: delivery.remoteName, sha256: delivery.sha256,
      verification: isCompared ? .checksum : .statusOnly, status: status, entityTag: entityTag,
      isDuplicate: isDuplicate, wallNanoseconds: sender.clock.ownNanoseconds)
  }

  /// Returns the entity tag in the answer to a request that stored bytes.
  ///
  /// - Throws: ``DeliveryFailure`` with `blocked` when the answer has a body or no entity tag.
  func entityTag(ofStored answer: S3Answer) throws(DeliveryFailure) -> String {
    guard answer.response.body.isEmpty else { throw notS3(answer, "has a body") }
    guard let entityTag = answer.response["ETag"], !entityTag.isEmpty else {
      throw notS3(answer, "has no entity tag")
    }
    return entityTag
  }

  /// Makes the failure for an answer that no S3 server sends.
  ///
  /// A captive portal, for example, answers 200 to everything.
  func notS3(_ answer: S3Answer, _ problem: String) -> DeliveryFailure {
    DeliveryFailure(
      .blocked, scope: .target,
      text: """
        what answers at "\(sender.location.url(key))" does not speak S3: its \(answer.status) \
        \(problem)
        """, status: answer.status)
  }

  /// Returns whether metadata can be sent: `a-z 0-9 -` for the name, printable ASCII as value.
  private static func canBeSent(_ name: String, _ value: String) -> Bool {
    !name.isEmpty && !value.isEmpty
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
      }
      && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
