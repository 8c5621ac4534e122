import Digests
import Transfer

extension S3Delivery {
  /// Sends the item in one request, `PutObject`.
  func sendWhole() async throws(DeliveryFailure) -> Receipt {
    let digest = [UInt8](hexadecimal: delivery.sha256) ?? []
    let whole = 0..<delivery.byteCount
    let md5 = try await hasher.verifiedParts(
      of: delivery, [whole], checksums.includesMD5 ? [.md5] : []
    ).first?[.md5]
    var conflicts = 0
    while true {
      var call = S3Call("PUT", key, headers: objectHeaders)
      call.carry(whole, of: delivery.path, sha256: delivery.sha256)
      if checksums.includesSHA256 {
        call.headers.append(HTTPHeader("x-amz-checksum-sha256", ByteText.base64(digest)))
      }
      if let md5 { call.headers.append(HTTPHeader("Content-MD5", ByteText.base64(md5))) }
      let (answer, isConditional) = try await sendUnlessThere(call)
      if answer.isSuccess {
        return try receiptOfStored(answer, sha256: digest, md5: md5)
      }
      switch answer.status {
      case 412 where isConditional:
        if let receipt = try receiptOfDuplicate(try await look(), status: 412) { return receipt }
        conflicts += 1
      case 409:
        conflicts += 1
      default:
        throw sender.failure(cannot: "store", key, answer)
      }
      guard conflicts < Self.maximumConflictCount else {
        throw sender.failure(cannot: "store", key, answer)
      }
    }
  }

  private func receiptOfStored(
    _ answer: S3Answer, sha256: [UInt8], md5: [UInt8]?
  ) throws(DeliveryFailure) -> Receipt {
    let entityTag = try entityTag(ofStored: answer)
    let stored = answer.response["x-amz-checksum-sha256"]
    if let stored, stored != ByteText.base64(sha256) {
      throw DeliveryFailure(
        .corrupted, scope: .item,
        text: """
          the target stored other bytes than were sent as "\(sender.location.url(key))": their \
          SHA-256 is \(ByteText.shown(stored)) in Base64
          """, status: answer.status)
    }
    let isOurMD5 = md5.map { S3StoredPart.bare(entityTag) == $0.hexadecimal } ?? false
    journal.note(DeliveryProgress(bytesSent: delivery.byteCount))
    return receipt(
      status: answer.status, entityTag: entityTag, isCompared: stored != nil || isOurMD5,
      isDuplicate: false)
  }
}
