import Logging

/// Recordings: items that grow in the spool's directory before they are stored.
///
/// A recording has a durable place and an entry from its beginning on. The next start stores what a
/// crash has left of it, up to the last whole fragment. The functions throw ``SpoolError``: `full`,
/// `shortOfResources`, `failed`, `indexDamaged`, `closed` and those listed.
extension Spool {
  /// Makes the place of a recording, whose empty file and entry are then on stable storage.
  ///
  /// Until ``store(_:metadata:)`` or ``discard(_:)`` ends the recording, its bytes
  /// count for the limits, as one item. The oldest pictures make room for it if
  /// ``SpoolConfiguration/whenFull`` says so.
  ///
  /// - Parameters:
  ///   - metadata: the facts at the beginning; the spool sets the media type.
  ///   - bytes: the bytes that must be free besides those for a picture.
  /// - Throws: ``SpoolError``: `invalid` for metadata that are no JSON, or without a rig's name.
  package func beginRecording(
    _ metadata: ItemMetadata, roomForBytes bytes: Int64
  ) throws(SpoolError) -> OpenRecording {
    try perform { storage throws(SpoolError) in
      try storage.beginRecording(metadata, bytes: bytes)
    }
  }

  /// Makes room for the next bytes of a recording; throws when the recording must not go on.
  ///
  /// After `full` the recording can still be stored as far as it goes.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that must be free besides those for a picture.
  ///   - recording: the recording.
  /// - Returns: the recording's length so far, in bytes.
  /// - Throws: ``SpoolError``: `unknownItem` for a recording that has ended.
  package func makeRoom(
    forBytes bytes: Int64, of recording: OpenRecording
  ) throws(SpoolError) -> Int64 {
    try perform { storage throws(SpoolError) in
      try storage.makeRoom(forBytes: bytes, of: recording.id)
    }
  }

  /// Puts a recording on stable storage and in the queue.
  ///
  /// The facts at the end are on stable storage before the file is read. The next start can then
  /// store a recording for which there was no time. The file is cut off after its last whole
  /// fragment. The spool serves other calls while the file is read, and ``close()`` ends the
  /// reading. After a refusal the recording is still open, and may be stored again, now or by
  /// ``storeLater(_:metadata:after:)``, or removed.
  ///
  /// - Parameters:
  ///   - recording: the recording, to which nothing writes any more.
  ///   - metadata: the facts at the end; the spool sets the media type.
  /// - Returns: the stored item, which from now on survives a power cut.
  /// - Throws: ``SpoolError``: `invalid` for a file without a whole fragment, or one that changes;
  ///   `unreadable`; `unknownItem` for a recording that has ended; `notWaiting` while another call
  ///   stores it.
  package func store(
    _ recording: OpenRecording, metadata: ItemMetadata
  ) async throws(SpoolError) -> StoredItem {
    let stored = try await store(recording.id, metadata, isEndNoted: false)
    guard let stored else {
      throw SpoolError(.invalid, recording.path, "holds no whole fragment of a movie")
    }
    return stored
  }

  /// Removes a recording that becomes no item, also after a failure of the spool.
  ///
  /// The next start removes what is left of the recording. If the medium neither renames nor
  /// removes the file, or loses the new name, the next start stores the recording.
  package func discard(_ recording: OpenRecording) {
    guard let storage = storageIfOpen else { return }
    do throws(SpoolError) {
      try storage.discardRecording(recording.id)
    } catch {
      fail(with: error)
    }
    tell(storage)
  }

  /// Waits until each recording of an earlier run is an item, removed, or left to a later attempt.
  package func finishAdoption() async {
    await adoption?.value
  }

  /// Stores a recording; returns `nil` for a file without a whole fragment.
  private func store(
    _ id: ItemID, _ metadata: ItemMetadata, isEndNoted: Bool
  ) async throws(SpoolError) -> StoredItem? {
    let (path, files) = try perform { storage throws(SpoolError) in
      try storage.beginStoring(id, noting: isEndNoted ? nil : metadata)
      return (storage.layout.recording(id), storage.environment.files)
    }
    let settled = await recordingFiles.settle(path, files: files)
    return try perform { storage throws(SpoolError) in
      defer { storage.recordings[id]?.isBeingStored = false }
      guard let settled = try settled.get() else { return nil }
      return try storage.store(id, settled, metadata)
    }
  }

  /// Starts to store the recordings that an earlier run has left open, the oldest first.
  func beginAdoption() {
    let abandoned = (storageIfOpen?.recordings ?? [:]).filter(\.value.isAbandoned)
    guard !abandoned.isEmpty else { return }
    let ordered = abandoned.sorted { $0.key.sequence < $1.key.sequence }.map { id, recording in
      (id, recording.metadata)
    }
    adoption = Task { [weak self] in
      for (id, metadata) in ordered where !Task.isCancelled {
        guard let error = await self?.adopt(id, metadata) else { continue }
        await self?.postpone(id, metadata, after: error)
      }
    }
  }

  /// Stores a recording that was refused, in attempts after growing pauses of up to an hour.
  ///
  /// - Parameters:
  ///   - recording: the recording, to which nothing writes any more.
  ///   - metadata: the facts at the end; the spool sets the media type.
  ///   - error: the refusal.
  package func storeLater(
    _ recording: OpenRecording, metadata: ItemMetadata, after error: SpoolError
  ) {
    postpone(recording.id, metadata, after: error)
  }

  private func postpone(_ id: ItemID, _ metadata: ItemMetadata, after error: SpoolError) {
    // The next start stores the recordings of a spool that has failed or is closed.
    guard !error.isPersistent, error.code != .closed, let storage = storageIfOpen else { return }
    logger.warning(
      "a recording is kept and stored later",
      metadata: ["item.id": "\(id)", "error": "\(error)"])
    postponed[id] = metadata
    let pauses = storage.environment.pausesOfAttempts
    attempts?.cancel()
    attempts = Task { [weak self] in
      var pause = pauses.shortest
      while (try? await Task.sleep(for: pause)) != nil, await self?.storePostponed() == false {
        pause = min(pause * 2, pauses.longest)
      }
    }
  }

  /// Stores the recordings that wait for another attempt; returns whether none is left.
  private func storePostponed() async -> Bool {
    for (id, metadata) in postponed where !Task.isCancelled {
      if await adopt(id, metadata) == nil { postponed[id] = nil }
    }
    return postponed.isEmpty
  }

  /// Stores a recording, or removes one without a whole fragment; returns why it has to wait.
  private func adopt(_ id: ItemID, _ metadata: ItemMetadata) async -> SpoolError? {
    var metadata = metadata
    // The duration is known once a recording has ended in order.
    let isClosed = metadata.durationNanoseconds != nil
    if !isClosed { metadata.isCutOff = true }
    do throws(SpoolError) {
      if let stored = try await store(id, metadata, isEndNoted: true) {
        logger.notice(
          isClosed
            ? "a recording that had to wait is stored"
            : "a recording that was cut off is stored up to its last whole fragment",
          metadata: ["item.id": "\(id)", "item.bytes": "\(stored.byteCount)"])
      } else {
        try perform { storage throws(SpoolError) in try storage.discardRecording(id) }
        logger.warning(
          "a recording that was left open holds no whole fragment and is removed",
          metadata: ["item.id": "\(id)"])
        try perform { storage throws(SpoolError) in try storage.settlePresses() }
      }
      return nil
    } catch {
      // Another call has stored or removed the recording.
      return error.code == .unknownItem ? nil : error
    }
  }
}
