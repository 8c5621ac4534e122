import Logging

/// Recordings: items that grow in the spool's directory before they are stored.
///
/// A recording has a durable place and an entry from its beginning on. The next start stores what a
/// crash has left of it, up to the last whole fragment. The functions throw ``SpoolError``: `full`,
/// `shortOfResources`, `failed`, `indexDamaged`, `closed` and those listed.
extension Spool {
  /// Makes the place of a recording, whose empty file and entry are then on stable storage.
  ///
  /// Until ``store(_:metadata:safeByteCount:)`` or ``discard(_:)`` ends the recording, its bytes
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
  /// reading. After a refusal the recording is still open, and may be stored again or removed.
  ///
  /// - Parameters:
  ///   - recording: the recording, to which nothing writes any more.
  ///   - metadata: the facts at the end; the spool sets the media type.
  ///   - safeByteCount: the bytes that the writer had forced to stable storage before it failed.
  ///     Later bytes may never have reached it. `nil` for a writer that did not fail.
  /// - Returns: the stored item, which from now on survives a power cut.
  /// - Throws: ``SpoolError``: `invalid` for a file without a whole fragment, or one that changes;
  ///   `unreadable`; `unknownItem` for a recording that has ended; `notWaiting` while another call
  ///   stores it.
  package func store(
    _ recording: OpenRecording, metadata: ItemMetadata, safeByteCount: Int64? = nil
  ) async throws(SpoolError) -> StoredItem {
    let stored = try await store(
      recording.id, metadata, upTo: safeByteCount, isEndNoted: false)
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

  /// Waits until the recordings of an earlier run are items, removed, or left to the next start.
  package func finishAdoption() async {
    await adoption?.value
  }

  /// Stores a recording; returns `nil` for a file without a whole fragment.
  private func store(
    _ id: ItemID, _ metadata: ItemMetadata, upTo byteCount: Int64? = nil, isEndNoted: Bool
  ) async throws(SpoolError) -> StoredItem? {
    let (path, files) = try perform { storage throws(SpoolError) in
      try storage.beginStoring(id, noting: isEndNoted ? nil : metadata)
      return (storage.layout.recording(id), storage.environment.files)
    }
    let settled = await recordingFiles.settle(path, upTo: byteCount, files: files)
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
      for (id, metadata) in ordered where !Task.isCancelled { await self?.adopt(id, metadata) }
    }
  }

  private func adopt(_ id: ItemID, _ metadata: ItemMetadata) async {
    var metadata = metadata
    // The duration is known once a recording has ended in order.
    let isClosed = metadata.durationNanoseconds != nil
    if !isClosed { metadata.isCutOff = true }
    do throws(SpoolError) {
      if let stored = try await store(id, metadata, isEndNoted: true) {
        logger.notice(
          isClosed
            ? "a recording for which the end of the service left no time is stored"
            : "a recording that was cut off is stored up to its last whole fragment",
          metadata: ["item.id": "\(id)", "item.bytes": "\(stored.byteCount)"])
      } else {
        try perform { storage throws(SpoolError) in try storage.discardRecording(id) }
        logger.warning(
          "a recording that was left open holds no whole fragment and is removed",
          metadata: ["item.id": "\(id)"])
        try perform { storage throws(SpoolError) in try storage.settlePresses() }
      }
    } catch  where error.isPersistent || error.code == .closed {
      return
    } catch {
      logger.warning(
        "a recording that was left open could not be stored; the next start tries again",
        metadata: ["item.id": "\(id)", "error": "\(error)"])
    }
  }
}
