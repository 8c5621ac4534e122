import Digests
import Transfer

/// A delivery of one item to a tus server; ``TusMachine`` decides its steps.
struct TusDelivery {
  let delivery: PendingDelivery
  let endpoint: OriginURL
  let creationURL: OriginURL
  let naming: TusConfiguration.Naming
  let patchByteCount: Int64
  let sender: TusSender
  let hasher: FileHasher
  let server: TusServer
  let journal: any DeliveryJournal

  /// The progress of an upload.
  struct Progress {
    /// The status of the last answer.
    var status = 0
    /// The bytes from the beginning that the server compared with checksums in this attempt.
    var comparedByteCount: Int64 = 0
    /// The planned requests by their bytes, hashed when the file was compared with the item.
    var requests: [Range<Int64>: [Digest.Algorithm: [UInt8]]] = [:]
    /// Whether bytes were sent since the file was compared with the item.
    var hasSentSince = false
    /// Whether the upload is new, and no state with its URL is kept yet.
    var isNew = false
  }

  /// Delivers the item.
  func run() async throws(DeliveryFailure) -> Receipt {
    let isKnown = server.capabilities != nil
    var capabilities = try await discover()
    if isKnown, let maximum = capabilities.maximumByteCount, delivery.byteCount > maximum {
      // The server may take more by now.
      server.capabilities = nil
      capabilities = try await discover()
    }
    if let maximum = capabilities.maximumByteCount, delivery.byteCount > maximum {
      throw DeliveryFailure(
        .rejected, scope: .item,
        text: """
          the item "\(delivery.remoteName)" of \(delivery.byteCount) bytes is larger than the \
          \(maximum) bytes that "\(endpoint.text)" takes
          """)
    }
    var machine = TusMachine(byteCount: delivery.byteCount, patchByteCount: patchByteCount)
    var progress = Progress()
    var action = machine.begin(resumed)
    while true {
      switch action {
      case .ask(let session):
        action = try await ask(session, &machine, &progress)
      case .create:
        progress = Progress(
          requests: progress.requests, hasSentSince: progress.hasSentSince)
        let first = 0..<min(patchByteCount, delivery.byteCount)
        try await plan(first, capabilities, &progress)
        action = machine.created(try await create(capabilities))
        progress.isNew = true
      case .keep(let state):
        try await keep(state, capabilities, &progress)
        action = machine.kept()
      case .send(let session, let range):
        action = try await send(range, to: session, capabilities, &machine, &progress)
      case .finish(let session, let isDuplicate):
        journal.note(DeliveryProgress(bytesSent: delivery.byteCount))
        return receipt(session, progress, isDuplicate: isDuplicate)
      case .giveUp(let problem):
        throw failure(for: problem)
      }
    }
  }

  /// The state that an earlier attempt kept, if it is for the configured server.
  private var resumed: ResumeState? {
    guard let state = delivery.resumeState, state.kind == TusTarget.resumeKind,
      endpoint.sameOrigin(state.session) != nil
    else { return nil }
    return state
  }

  /// Asks for the number of bytes that the server has.
  private func ask(
    _ session: String, _ machine: inout TusMachine, _ progress: inout Progress
  ) async throws(DeliveryFailure) -> TusMachine.Action {
    let url = try place(session)
    let response = try await sender.send("HEAD", url)
    progress.status = response.status
    switch response.status {
    case 200, 204:
      guard let offset = Self.number(response["Upload-Offset"]) else {
        throw sender.notTus(url, response, "it does not say how much it has")
      }
      journal.note(DeliveryProgress(bytesSent: min(offset, delivery.byteCount)))
      return machine.found(offset: offset, length: Self.number(response["Upload-Length"]))
    case 400, 403, 404, 410:
      // The protocol allows 403, 404 and 410, and resumable-upload answers 400. If the credentials
      // are the cause, the next request shows it.
      return machine.uploadIsGone()
    default:
      throw sender.failure(cannot: "say how much it has of", url, response)
    }
  }

  /// Compares the file with the item and hashes a request's bytes and those of the requests after.
  ///
  /// The server may take a part of a request, and the file is then read again.
  private func plan(
    _ first: Range<Int64>, _ capabilities: TusCapabilities, _ progress: inout Progress
  ) async throws(DeliveryFailure) {
    guard progress.requests[first] == nil else { return }
    var requests = [first]
    var end = first.upperBound
    while end < delivery.byteCount {
      let next = end..<min(end + patchByteCount, delivery.byteCount)
      requests.append(next)
      end = next.upperBound
    }
    let digests = try await hasher.verifiedParts(
      of: delivery, [0..<first.lowerBound] + requests,
      capabilities.checksum.map { [$0] } ?? [])
    progress.hasSentSince = false
    progress.requests = [:]
    for (request, digest) in zip(requests, digests.dropFirst()) {
      progress.requests[request] = digest
    }
  }

  /// Sends bytes of the item.
  private func send(
    _ range: Range<Int64>, to session: String, _ capabilities: TusCapabilities,
    _ machine: inout TusMachine, _ progress: inout Progress
  ) async throws(DeliveryFailure) -> TusMachine.Action {
    let url = try place(session)
    let count = range.upperBound - range.lowerBound
    try await plan(range, capabilities, &progress)
    if capabilities.checksum == nil, range.upperBound == delivery.byteCount, progress.hasSentSince {
      // The last bytes publish the item, and no checksum shows that the file was damaged meanwhile.
      try await hasher.verify(delivery)
    }
    progress.hasSentSince = true
    var headers = [
      HTTPHeader("Content-Type", "application/offset+octet-stream"),
      HTTPHeader("Upload-Offset", "\(range.lowerBound)"),
    ]
    if let algorithm = capabilities.checksum, let digest = progress.requests[range]?[algorithm] {
      headers.append(
        HTTPHeader("Upload-Checksum", "\(algorithm.rawValue) \(ByteText.base64(digest))"))
    }
    let response = try await sender.send(
      "PATCH", url, headers,
      body: .fileRange(path: delivery.path, offset: range.lowerBound, byteCount: count),
      byteCount: count)
    progress.status = response.status
    // Another server may answer by now, or the server may know other checksums.
    if (400..<500).contains(response.status) { server.capabilities = nil }
    switch response.status {
    case 200, 204:
      guard let offset = Self.number(response["Upload-Offset"]) else {
        throw sender.notTus(url, response, "it does not say how much it has")
      }
      if capabilities.checksum != nil, progress.comparedByteCount == range.lowerBound {
        progress.comparedByteCount = offset
      }
      journal.note(DeliveryProgress(bytesSent: min(offset, delivery.byteCount)))
      return machine.sent(offset: offset)
    case 409: return machine.placeIsWrong()
    case 404, 410: return machine.uploadIsGone()
    case 460: return machine.arrivedDamaged()
    default:
      throw sender.failure(cannot: "take bytes of", url, response)
    }
  }

  private func receipt(
    _ session: String, _ progress: Progress, isDuplicate: Bool
  ) -> Receipt {
    let isCompared = !isDuplicate && progress.comparedByteCount == delivery.byteCount
    return Receipt(
      url: naming == .path ? creationURL.text : redactedURL(session),
      remoteName: delivery.remoteName, sha256: delivery.sha256,
      verification: isCompared && delivery.byteCount > 0 ? .checksum : .statusOnly,
      status: progress.status, entityTag: nil, isDuplicate: isDuplicate,
      wallNanoseconds: sender.wallNanoseconds())
  }

  private func failure(for problem: TusMachine.Problem) -> DeliveryFailure {
    let (code, text): (DeliveryFailure.Code, String) =
      switch problem {
      case .forgets:
        (.serverError, "forgot \(TusMachine.maximumCreationCount) uploads in a row")
      case .contradictsItself:
        (.conflict, "takes bytes at no place that it names itself")
      case .creeps:
        (.serverError, "took only a few bytes of each request")
      case .damages:
        (.corrupted, "received other bytes than were sent, \(TusMachine.maximumFaultCount) times")
      }
    return DeliveryFailure(
      code, scope: .item,
      text: "the target \"\(endpoint.text)\" \(text), for the item \"\(delivery.remoteName)\"")
  }

  /// Returns the URL of an upload, which was checked when the server named it.
  func place(_ session: String) throws(DeliveryFailure) -> OriginURL {
    guard let url = endpoint.sameOrigin(session) else {
      throw DeliveryFailure(
        .blocked, scope: .target, text: "an upload is not at \"\(endpoint.text)\" any more")
    }
    return url
  }

  static func number(_ text: String?) -> Int64? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }
}
