package import Devices

/// Deferred processing: a proxy is stored at once, and the final picture replaces it later.
///
/// The proxy's source is on stable storage before the proxy is stored. The source stays until the
/// final picture has the proxy's place, or the proxy is kept as the final picture. The functions
/// throw ``SpoolError``: `full`, `shortOfResources`, `failed`, `indexDamaged`, `closed` and those
/// listed.
extension Spool {
  /// Gives the source of a picture that is being taken a place in the spool.
  ///
  /// The place is free again after ``store(_:)`` with ``NewItem/source``, or ``discard(_:)``.
  ///
  /// - Throws: ``SpoolError``: `full` also when the limit of sources is reached.
  package func beginSource(byteCount: Int64) throws(SpoolError) -> PendingSource {
    try perform { storage throws(SpoolError) in try storage.beginSource(byteCount: byteCount) }
  }

  /// Writes a header and frames to stable storage, while the spool serves other calls.
  ///
  /// - Returns: the time that the disk took, without the wait for other sources.
  /// - Throws: ``SpoolError``: `invalid` for frames that cannot be read.
  @discardableResult
  package func write(
    _ header: [UInt8], _ frames: [FrameLease] = [], to source: PendingSource
  ) async throws(SpoolError) -> Duration {
    let environment = try perform { storage throws(SpoolError) in storage.environment }
    let result = await sourceWriter.write(
      header, frames, to: source, files: environment.files, now: environment.monotonicNanoseconds)
    return try perform { storage throws(SpoolError) in
      let time = try result.get()
      storage.pendingSources[source.path]?.isWritten = true
      return time
    }
  }

  /// Removes a source that gets no item; what cannot be removed is left to the next start.
  package func discard(_ source: PendingSource) {
    try? perform { storage throws(SpoolError) in try storage.discard(source) }
  }

  /// Returns the oldest picture whose final version can be made now.
  ///
  /// Pictures of the queue go before pictures in quarantine, which their frames can heal.
  package func nextProxy() throws(SpoolError) -> DeferredProxy? {
    try perform { storage throws(SpoolError) in
      if let proxy = try storage.nextProxy() { return proxy }
      return try storage.nextQuarantinedProxy()
    }
  }

  /// Begins an attempt to make the final picture, and reads the content of the source.
  ///
  /// An attempt without an end counts as failed, and as cut off after the end of the boot.
  /// No delivery of the item begins before ``replaceProxy(_:bytes:metadata:)``,
  /// ``keepProxy(_:because:)`` or ``abandonFinal(of:after:)`` ends the attempt. So does a failure.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`; `notWaiting` for no proxy, or one being delivered;
  ///   `unreadable` or `invalid` for a source that is damaged or gone.
  package func beginFinal(of id: ItemID) async throws(SpoolError) -> [UInt8] {
    let (path, byteCount, files) = try perform { storage throws(SpoolError) in
      let byteCount = try storage.beginFinal(of: id)
      return (storage.layout.source(id), byteCount, storage.environment.files)
    }
    switch await sourceReader.read(path, byteCount: byteCount, files: files) {
    case .success(let content): return content
    case .failure(let error):
      abandonFinal(of: id, after: error)
      throw error
    }
  }

  /// Replaces a proxy durably by its final picture, under the same item ID.
  ///
  /// Length, digest and remote name become those of the final picture. Deliveries without a receipt
  /// deliver the final picture. After `full` the proxy and its source are as before. A proxy in
  /// quarantine waits in the queue again, and the audit says so.
  ///
  /// - Throws: ``SpoolError``: `notWaiting` when the item is no proxy any more, or is quarantined
  ///   and no target waits for it; `unreadable` when the final picture is committed and the medium
  ///   refuses it its place.
  package func replaceProxy(
    _ id: ItemID, bytes: [UInt8], metadata: ItemMetadata
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.replaceProxy(id, bytes: bytes, metadata: metadata)
    }
  }

  /// Gives committed final pictures the place that the medium has refused them.
  ///
  /// Until then no delivery of these items begins.
  ///
  /// - Returns: the items that need no other attempt, the oldest first.
  package func placeFinals() throws(SpoolError) -> [ItemID] {
    try perform { storage throws(SpoolError) in try storage.placeFinals() }
  }

  /// Keeps a proxy as the final picture and removes its source; an ``AuditEvent`` has the reason.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`.
  package func keepProxy(_ id: ItemID, because reason: SingleFrameReason) throws(SpoolError) {
    try perform { storage throws(SpoolError) in try storage.keepProxy(id, reason) }
  }

  /// Ends an attempt without a final picture; a target that found nothing meanwhile looks again.
  ///
  /// - Parameter error: the cause; an attempt that lacked descriptors or memory does not count.
  package func abandonFinal(of id: ItemID, after error: (any Error)? = nil) {
    guard let storage = storageIfOpen else { return }
    storage.proxies[id]?.isBeingMade = false
    if (error as? SpoolError)?.code == .shortOfResources {
      // An attempt that cannot be taken back counts.
      try? perform { storage throws(SpoolError) in try storage.withdrawAttempt(for: id) }
    }
    storage.events.append(.replaced(id))
    tell(storage)
  }
}
