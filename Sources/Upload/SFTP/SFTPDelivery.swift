import Transfer

/// A delivery under a hidden name that ends in a rename to the item's own name.
struct SFTPDelivery {
  let item: PendingDelivery
  let client: SFTPClient
  let login: SSHLogin
  let connection: HTTPSettings
  let location: SFTPLocation
  /// The parts of the item's name; not empty.
  let name: [String]
  /// The parts of the hidden name, in the same directory.
  let part: [String]
  let hasher: FileHasher
  let wallNanoseconds: @Sendable () -> Int64

  /// Delivers the item.
  ///
  /// Every later attempt asks the server for the state that an earlier one left, so that no state
  /// is kept here. If the earlier attempt was not counted, the answer to the rename tells of its
  /// file.
  ///
  /// - Throws: ``DeliveryFailure``.
  func run() async throws(DeliveryFailure) -> Receipt {
    let mayBeThere = item.attempts > 0
    if mayBeThere, try await isDelivered() { return receipt(isDuplicate: true) }
    let isWhole = try await mayBeThere ? holdsWhole() : false
    if !isWhole {
      try await hasher.verify(item)
      try await upload()
      guard try await read(part)?.matches(item) ?? false else {
        try await discard()
        throw DeliveryFailure(
          .corrupted, scope: .item,
          text: """
            the target holds other bytes than were sent as "\(location.url(part))"; the copy was \
            removed
            """)
      }
    }
    do {
      try await client.perform(
        .rename(location.path(part), to: location.path(name)), request(location.commands))
    } catch {
      // The name may be taken, by this item too; a broken connection is left to the next attempt.
      guard [.commandRefused, .noSuchFile].contains(error.code), try await isDelivered() else {
        throw DeliveryFailure(sftp: error)
      }
      return receipt(isDuplicate: true)
    }
    return receipt(isDuplicate: false)
  }

  /// Returns whether the server holds the item under its name; then the hidden file is removed.
  ///
  /// - Throws: ``DeliveryFailure`` with `conflict` when something else has the name.
  private func isDelivered() async throws(DeliveryFailure) -> Bool {
    guard let digest = try await read(name) else { return false }
    try await discard()
    guard digest.matches(item) else {
      throw DeliveryFailure(
        .conflict, scope: .item,
        text: """
          the target holds something else as "\(location.url(name))": \(digest.summary) instead of \
          \(item.byteCount) bytes, SHA-256 \(item.sha256); it is left as it is
          """)
    }
    return true
  }

  /// Returns whether the hidden file is complete, by its size and then by its bytes.
  ///
  /// The size alone proves nothing: an earlier attempt's connection may still be writing.
  private func holdsWhole() async throws(DeliveryFailure) -> Bool {
    do {
      guard try await client.size(request(location.url(part))) == item.byteCount else {
        return false
      }
    } catch {
      if error.code == .noSuchFile { return false }
      throw DeliveryFailure(sftp: error)
    }
    return try await read(part)?.matches(item) ?? false
  }

  /// Reads a file and returns the digest of its bytes, up to the item's size; `nil` without a file.
  private func read(_ name: [String]) async throws(DeliveryFailure) -> ContentDigest? {
    let digest = ContentDigest(expectedByteCount: item.byteCount)
    do {
      try await client.read(request(location.url(name), byteCount: item.byteCount)) {
        digest.add($0)
      }
      return digest
    } catch {
      if error.code == .noSuchFile { return nil }
      throw DeliveryFailure(sftp: error)
    }
  }

  /// Sends the item's file under the hidden name, in place of an earlier part.
  private func upload() async throws(DeliveryFailure) {
    do {
      try await client.upload(item.path, request(location.url(part), byteCount: item.byteCount))
    } catch {
      // A server without space gives no reason.
      if error.code == .failed || error.code == .commandRefused, let free = await freeBytes(),
        free < item.byteCount
      {
        try await discard()
        throw DeliveryFailure(
          .targetFull, scope: .target,
          text: """
            "\(location.url())" has no room: \(free) bytes are free, and the item has \
            \(item.byteCount)
            """)
      }
      throw DeliveryFailure(sftp: error)
    }
  }

  /// Returns the free bytes at the target; `nil` when they are unknown.
  private func freeBytes() async -> Int64? {
    try? await client.freeBytes(location.path(), request(location.commands))
  }

  /// Removes the hidden file; after a failure it is overwritten later, or stays.
  private func discard() async throws(DeliveryFailure) {
    do {
      try await client.perform(.remove(location.path(part)), request(location.commands))
    } catch {
      if error.code == .cancelled { throw DeliveryFailure(sftp: error) }
    }
  }

  private func request(_ url: String, byteCount: Int64 = 0) -> SFTPRequest {
    SFTPRequest(url: url, login: login, limits: connection.limits(forBytes: byteCount))
  }

  private func receipt(isDuplicate: Bool) -> Receipt {
    Receipt(
      url: location.url(name), remoteName: item.remoteName, sha256: item.sha256,
      verification: .readBack, status: nil, entityTag: nil, isDuplicate: isDuplicate,
      wallNanoseconds: wallNanoseconds())
  }
}
