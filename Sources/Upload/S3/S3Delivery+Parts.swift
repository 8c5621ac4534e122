import Digests
import Transfer

extension S3Delivery {
  /// Sends the item in parts, or resumes an earlier attempt.
  ///
  /// ``S3MultipartMachine`` decides the steps, and this function carries them out.
  func sendInParts() async throws(DeliveryFailure) -> Receipt {
    let resumedPlan = S3PartPlan(
      byteCount: delivery.byteCount, begunWith: begun?.partByteCount)
    let plan =
      resumedPlan ?? S3PartPlan(byteCount: delivery.byteCount, partByteCount: partByteCount)
    let parts = try await localParts(plan)
    let composite = S3LocalPart.compositeChecksum(of: parts)
    var machine = S3MultipartMachine(plan: plan, parts: parts)
    var action = machine.begin(resumedPlan == nil ? nil : begun)
    var receipt: Receipt?
    var lastAnswer: S3Answer?
    while true {
      switch action {
      case .abortUnknown:
        try await abortUnknownUploads()
        action = machine.abortedUnknown()
      case .listParts(let uploadID, let after):
        action = try await listParts(uploadID, after: after, &machine)
        journal.note(DeliveryProgress(bytesSent: machine.storedByteCount))
      case .create:
        action = machine.created(try await create())
      case .keep(let state):
        try await keep(state)
        action = machine.kept()
      case .upload(let number, let uploadID):
        action = try await upload(number, parts[number - 1], uploadID, &machine)
        journal.note(DeliveryProgress(bytesSent: machine.storedByteCount))
      case .complete(let uploadID, let stored):
        let (answer, isConditional) = try await complete(uploadID, stored)
        lastAnswer = answer
        (action, receipt) = try completed(answer, isConditional, parts, composite, &machine)
      case .abort(let uploadID):
        try await abort(uploadID)
        action = machine.aborted()
      case .look:
        let presence = try await look(composite: composite)
        receipt = try receiptOfDuplicate(presence, status: lastAnswer?.status ?? 200)
        action = machine.looked(isThere: presence == .hidden ? nil : receipt != nil)
      case .finish:
        guard let receipt else { preconditionFailure("an item is delivered with a receipt") }
        return receipt
      case .giveUp:
        throw giveUp(lastAnswer)
      }
    }
  }

  private func localParts(_ plan: S3PartPlan) async throws(DeliveryFailure) -> [S3LocalPart] {
    let ranges = (1...plan.count).map(plan.range(of:))
    let digests = try await hasher.verifiedParts(of: delivery, ranges, [.sha256, .md5])
    return zip(ranges, digests).map { range, digest in
      S3LocalPart(range: range, sha256: digest[.sha256] ?? [], md5: digest[.md5] ?? [])
    }
  }

  /// Asks for a page of the stored parts, `ListParts`.
  private func listParts(
    _ uploadID: String, after: Int, _ machine: inout S3MultipartMachine
  ) async throws(DeliveryFailure) -> S3MultipartMachine.Action {
    // A hundred parts take a third of the bytes that an answer may have.
    var query = [
      CanonicalRequest.Parameter("uploadId", uploadID),
      CanonicalRequest.Parameter("max-parts", "100"),
    ]
    if after > 0 {
      query.append(CanonicalRequest.Parameter("part-number-marker", "\(after)"))
    }
    let answer = try await send(S3Call("GET", key, query: query))
    if answer.isSuccess {
      guard let page = S3PartPage(answer.document) else {
        throw notS3(answer, "has no list of parts")
      }
      return machine.listed(page)
    }
    switch answer.status {
    case 404 where answer.errorCode == "NoSuchUpload": return machine.sessionIsGone()
    case 401, 403, 405, 501: return machine.listRefused()
    default: throw sender.failure(cannot: "list the parts of", key, answer)
    }
  }

  /// Begins an upload, `CreateMultipartUpload`.
  private func create() async throws(DeliveryFailure) -> String {
    var headers = objectHeaders
    if checksums.includesSHA256 {
      headers.append(HTTPHeader("x-amz-checksum-algorithm", "SHA256"))
    }
    let answer = try await send(
      S3Call("POST", key, query: [CanonicalRequest.Parameter("uploads")], headers: headers))
    guard answer.isSuccess else { throw sender.failure(cannot: "begin", key, answer) }
    // rclone leaves "Result" out.
    guard let document = answer.document, document.name.hasPrefix("InitiateMultipartUpload"),
      let uploadID = document["UploadId"], !uploadID.isEmpty
    else { throw notS3(answer, "has no upload ID") }
    return uploadID
  }

  /// Commits a state; if that fails, aborts an upload whose ID would be lost.
  private func keep(_ state: ResumeState) async throws(DeliveryFailure) {
    do {
      try await journal.keep(state)
    } catch {
      if state.kind == S3Target.resumeKind, !state.isFinalSent { try await abort(state.session) }
      throw error
    }
  }

  /// Sends a part, `UploadPart`.
  private func upload(
    _ number: Int, _ part: S3LocalPart, _ uploadID: String, _ machine: inout S3MultipartMachine
  ) async throws(DeliveryFailure) -> S3MultipartMachine.Action {
    var call = S3Call(
      "PUT", key,
      query: [
        CanonicalRequest.Parameter("partNumber", "\(number)"),
        CanonicalRequest.Parameter("uploadId", uploadID),
      ])
    call.carry(part.range, of: delivery.path, sha256: part.sha256.hexadecimal)
    let checksum = ByteText.base64(part.sha256)
    if checksums.includesSHA256 {
      call.headers.append(HTTPHeader("x-amz-checksum-sha256", checksum))
    }
    if checksums.includesMD5 {
      call.headers.append(HTTPHeader("Content-MD5", ByteText.base64(part.md5)))
    }
    let answer = try await send(call)
    if answer.errorCode == "NoSuchUpload" { return machine.sessionIsGone() }
    guard answer.isSuccess else {
      throw sender.failure(cannot: "store part \(number) of", key, answer)
    }
    let entityTag = try entityTag(ofStored: answer)
    if let stored = answer.response["x-amz-checksum-sha256"], stored != checksum {
      throw DeliveryFailure(
        .corrupted, scope: .item,
        text: """
          the target stored other bytes than were sent as part \(number) of \
          "\(sender.location.url(key))": their SHA-256 is \(ByteText.shown(stored)) in Base64
          """, status: answer.status)
    }
    return machine.uploaded(entityTag: entityTag)
  }

  /// Makes the object of the stored parts, `CompleteMultipartUpload`.
  private func complete(
    _ uploadID: String, _ stored: [S3StoredPart]
  ) async throws(DeliveryFailure) -> (answer: S3Answer, isConditional: Bool) {
    var call = S3Call(
      "POST", key, query: [CanonicalRequest.Parameter("uploadId", uploadID)],
      headers: [HTTPHeader("Content-Type", "application/xml")])
    call.carry(
      Array(S3CompletionText.make(stored, withChecksums: checksums.includesSHA256).utf8))
    // The server reads all the parts before it answers.
    call.byteCount = delivery.byteCount
    return try await sendUnlessThere(call)
  }

  /// Judges the answer to `CompleteMultipartUpload`, whose status may be 200 after a failure.
  private func completed(
    _ answer: S3Answer, _ isConditional: Bool, _ parts: [S3LocalPart], _ composite: String,
    _ machine: inout S3MultipartMachine
  ) throws(DeliveryFailure) -> (S3MultipartMachine.Action, Receipt?) {
    switch (answer.status, answer.errorCode) {
    case (412, _) where isConditional, (_, "PreconditionFailed") where isConditional:
      return (machine.objectExists(), nil)
    case (_, "NoSuchUpload"): return (machine.sessionIsGone(), nil)
    case (409, _), (_, "InvalidPart"), (_, "InvalidPartOrder"), (_, "EntityTooSmall"):
      return (machine.completionRefused(), nil)
    default: break
    }
    guard answer.isSuccess, let document = answer.document,
      document.name.hasPrefix("CompleteMultipartUpload")
    else { throw sender.failure(cannot: "put together", key, answer) }
    let entityTag = document["ETag"] ?? answer.response["ETag"]
    let checksum = document["ChecksumSHA256"] ?? answer.response["x-amz-checksum-sha256"]
    if let checksum, checksum != composite {
      throw DeliveryFailure(
        .corrupted, scope: .item,
        text: """
          the target put other bytes together than were sent as "\(sender.location.url(key))": \
          their checksum is \(ByteText.shown(checksum)) instead of \(composite)
          """, status: answer.status)
    }
    let tagOfParts =
      Digest.value(.md5, of: parts.flatMap(\.md5)).hexadecimal + "-\(parts.count)"
    let isOurMD5 = entityTag.map { S3StoredPart.bare($0) == tagOfParts } ?? false
    let receipt = receipt(
      status: answer.status, entityTag: entityTag, isCompared: checksum != nil || isOurMD5,
      isDuplicate: false)
    return (machine.completed(), receipt)
  }

  /// Aborts an upload, `AbortMultipartUpload`; after a failure the upload only takes room.
  func abort(_ uploadID: String) async throws(DeliveryFailure) {
    let call = S3Call("DELETE", key, query: [CanonicalRequest.Parameter("uploadId", uploadID)])
    do {
      _ = try await send(call)
    } catch {
      if error.code == .cancelled { throw error }
    }
  }

  private func giveUp(_ answer: S3Answer?) -> DeliveryFailure {
    if let answer { return sender.failure(cannot: "put together", key, answer) }
    return DeliveryFailure(
      .serverError, scope: .item,
      text: """
        the target forgot \(S3MultipartMachine.maximumCreationCount) uploads in a row of \
        "\(sender.location.url(key))"
        """)
  }
}
