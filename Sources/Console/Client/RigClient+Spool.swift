public import API
import Transfer

extension RigClient {
  /// What is in the spool, in figures.
  ///
  /// - Throws: ``RigClientError``.
  public func spoolStatistics() async throws(RigClientError) -> SpoolStatisticsReport {
    try await get("/v1/spool")
  }

  /// Pictures, the newest first.
  ///
  /// - Parameters:
  ///   - state: only those in this state; `nil` for all.
  ///   - limit: the most pictures to return, 1...1000.
  ///   - before: only those older than this picture; `nil` to begin with the newest.
  /// - Throws: ``RigClientError``, `refused` with code `invalidRequest` for an unknown state.
  public func spoolItems(
    state: String?, limit: Int, before: String? = nil
  ) async throws(RigClientError) -> SpoolItemList {
    var path = "/v1/spool/items?limit=\(limit)"
    if let state { path += "&state=\(encoded(state))" }
    if let before { path += "&before=\(encoded(before))" }
    return try await get(path)
  }

  /// One picture.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `notFound`.
  public func spoolItem(id: String) async throws(RigClientError) -> SpoolItemReport {
    try await get("/v1/spool/items/\(encoded(id))")
  }

  /// Lets a picture that was set aside wait again.
  ///
  /// - Throws: ``RigClientError``, `refused` when it is unknown or was not set aside.
  public func retrySpoolItem(id: String) async throws(RigClientError) -> SpoolRetryReport {
    try await post("/v1/spool/items/\(encoded(id))/retry")
  }

  /// Lets all pictures wait again that were set aside.
  ///
  /// - Throws: ``RigClientError``.
  public func retryParkedSpoolItems() async throws(RigClientError) -> SpoolRetryReport {
    try await post("/v1/spool/retry")
  }

  /// How far the newest verification is.
  ///
  /// - Throws: ``RigClientError``.
  public func spoolVerificationProgress() async throws(RigClientError) -> SpoolVerificationProgress
  {
    try await get("/v1/spool/verify")
  }

  /// Compares every file with its row, and tells how far it is; may take minutes.
  ///
  /// - Parameters:
  ///   - repair: whether to repair what is found.
  ///   - progress: is told twice a second how many bytes of how many are hashed.
  /// - Throws: ``RigClientError``.
  public func verifySpool(
    repair: Bool, progress: @escaping @Sendable (SpoolVerificationProgress) -> Void
  ) async throws(RigClientError) -> SpoolVerificationReport {
    // A connection carries one request at a time, and the verification has this one's.
    let other = RigClient(socketPath: socketPath, patience: patience)
    let look = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(500))
        // The verification itself says what is wrong, if anything is.
        if let now = try? await other.spoolVerificationProgress(), now.isRunning { progress(now) }
      }
    }
    defer { look.cancel() }
    return try await verifySpool(repair: repair)
  }

  /// Compares every file with its row; may take minutes.
  ///
  /// - Parameter repair: whether to repair what is found.
  /// - Throws: ``RigClientError``.
  public func verifySpool(
    repair: Bool
  ) async throws(RigClientError) -> SpoolVerificationReport {
    try await post(
      "/v1/spool/verify", SpoolVerificationRequest(repair: repair), stallTimeout: .seconds(3600))
  }

  /// Deletes a picture that has no receipt; it is gone for good.
  ///
  /// - Throws: ``RigClientError``, `refused` when it is unknown, being delivered or delivered.
  public func deleteSpoolItem(id: String) async throws(RigClientError) {
    let id = encoded(id)
    let _: DeletionReport = try await answer(
      to: request("DELETE", "/v1/spool/items/\(id)?confirm=\(id)"), accepting: [200])
  }

  /// Deletes every picture of the quarantine, for good; may take minutes.
  ///
  /// - Throws: ``RigClientError``.
  public func deleteQuarantinedSpoolItems() async throws(RigClientError)
    -> QuarantineDeletionReport
  {
    var request = request("DELETE", "/v1/spool/quarantine?confirm=quarantine")
    request.stallTimeout = .seconds(3600)
    return try await answer(to: request, accepting: [200])
  }

  /// Reads a picture's bytes as they come.
  ///
  /// - Parameter onBytes: gets each piece on the client's thread; `false` ends the reading.
  /// - Throws: ``RigClientError``, `refused` with code `notFound` when there is no file.
  public func spoolImage(
    id: String, onBytes: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
  ) async throws(RigClientError) {
    let response: HTTPResponse
    do {
      response = try await http.send(
        request("GET", "/v1/spool/items/\(encoded(id))/image"), onBody: onBytes)
    } catch {
      throw connectionError(error)
    }
    guard response.status == 200 else { throw refusal(response) }
  }

  /// An ID or a word as it may stand in a URL; ours have nothing that needs it, but people's may.
  func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default:
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
