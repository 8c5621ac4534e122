import Devices
import Digests

extension SpoolStorage {
  /// A recording that is not stored yet.
  struct Recording {
    /// The facts at its beginning.
    var metadata: ItemMetadata
    /// Whether an earlier run has left the recording open.
    var isAbandoned = false
    /// Whether the file is being read to be stored.
    var isBeingStored = false
  }

  /// The bytes of all recordings, as long as they are now.
  var recordedBytes: Int64 {
    recordings.keys.reduce(0) { $0 + recordedBytes(of: $1) }
  }

  private func recordedBytes(of id: ItemID) -> Int64 {
    (try? environment.files.status(layout.recording(id)))?.size ?? 0
  }

  /// Finds the recordings that an earlier run has left open; their numbers are not given out again.
  ///
  /// A recording without its entry has the time of its file's last change as its time.
  func findRecordings() throws(SpoolError) {
    for name in (try? itemFiles.recordingNames()) ?? [] {
      guard let id = RecordingEntry.id(ofFile: name), try index.row(id) == nil,
        let status = try? environment.files.status(layout.recording(id)), status.kind == .regular
      else { continue }
      let changed = CaptureTime(
        bootID: nil, monotonicNanoseconds: nil, wallNanoseconds: status.modifiedNanoseconds,
        wallTrust: .unknown)
      recordings[id] = Recording(
        metadata: itemFiles.recordingEntry(id)?.metadata
          ?? ItemMetadata(rigID: configuration.rigID, pressNumber: nil, captured: changed),
        isAbandoned: true)
      nextSequence = max(nextSequence, id.sequence + 1)
    }
  }

  /// The presses of earlier runs whose recordings are open.
  var recordedPresses: Set<Int64> {
    Set(recordings.values.filter(\.isAbandoned).compactMap(\.metadata.pressNumber))
  }

  /// Gives the press of a discarded recording of an earlier run its outcome.
  ///
  /// Before the recovery ends, other presses may still get pictures. Its end then gives the
  /// outcome.
  func settlePresses() throws(SpoolError) {
    guard rest == nil else { return }
    _ = try index.settlePresses(through: lastEarlierPress, except: recordedPresses)
  }

  /// Gives a recording a durable place, if there is room for its first bytes and for a picture.
  func beginRecording(_ metadata: ItemMetadata, bytes: Int64) throws(SpoolError) -> OpenRecording {
    guard RemoteName.isValidRigID(metadata.rigID) else {
      throw SpoolError(.invalid, metadata.rigID, "is no rig ID")
    }
    try syncRemovals()
    try makeRoom(bytes: bytes + configuration.roomBesideSources)
    let id = ItemID(boot: boot, sequence: try takeSequence(), random: environment.random())
    var metadata = metadata
    metadata.mediaType = RecordingEntry.mediaType
    let entry = try RecordingEntry(id: id, metadata: metadata).encoded()
    do throws(SpoolError) {
      try itemFiles.perform { () throws(FileSystemError) in
        try itemFiles.beginRecording(id, entry: entry)
      }
    } catch {
      // After a failure of the medium, the next start clears the files.
      guard !error.isPersistent else { throw error }
      _ = try hasRemoved { () throws(FileSystemError) in try itemFiles.discardRecording(id) }
      throw error
    }
    recordings[id] = Recording(metadata: metadata)
    return OpenRecording(id: id, path: layout.recording(id))
  }

  /// Makes room for the next bytes of a recording and for a picture; returns its length so far.
  func makeRoom(forBytes bytes: Int64, of id: ItemID) throws(SpoolError) -> Int64 {
    _ = try recording(id)
    try makeRoom(bytes: bytes + configuration.roomBesideSources, items: 0)
    return recordedBytes(of: id)
  }

  private func recording(_ id: ItemID) throws(SpoolError) -> Recording {
    guard let recording = recordings[id] else {
      throw SpoolError(.unknownItem, id.description, "is no open recording of this spool")
    }
    return recording
  }

  /// Keeps a recording from being stored twice while its file is read.
  ///
  /// - Parameter metadata: the facts at the end, for a start that comes before the recording is
  ///   stored; `nil` for none. A disk without room for them keeps those at the beginning.
  func beginStoring(_ id: ItemID, noting metadata: ItemMetadata?) throws(SpoolError) {
    guard try !recording(id).isBeingStored else {
      throw SpoolError(.notWaiting, id.description, "is being stored already")
    }
    if let metadata { try noteEnd(of: id, metadata) }
    recordings[id]?.isBeingStored = true
  }

  private func noteEnd(of id: ItemID, _ metadata: ItemMetadata) throws(SpoolError) {
    var metadata = metadata
    metadata.mediaType = RecordingEntry.mediaType
    let entry = try RecordingEntry(id: id, metadata: metadata).encoded()
    do throws(SpoolError) {
      try itemFiles.perform { () throws(FileSystemError) in
        try itemFiles.rewriteEntry(id, entry: entry)
      }
    } catch {
      guard !error.isPersistent else { throw error }
      _ = try hasRemoved { () throws(FileSystemError) in try itemFiles.removeEntryPart(id) }
    }
  }

  /// Makes a recording an item, which needs no room but for its sidecar and its row.
  ///
  /// A refusal leaves the recording as it was. After a failure of the medium, the next start finds
  /// out what has reached the disk.
  func store(
    _ id: ItemID, _ settled: SettledRecording, _ metadata: ItemMetadata
  ) throws(SpoolError) -> StoredItem {
    let path = layout.recording(id)
    // The recording may have been removed while it was read.
    _ = try recording(id)
    let status = try itemFiles.perform { () throws(FileSystemError) in
      try environment.files.status(path)
    }
    guard status == settled.status else {
      throw SpoolError(.invalid, path, "has changed after it was read")
    }
    var metadata = metadata
    metadata.mediaType = RecordingEntry.mediaType
    let row = ItemRow(
      id: id, fileExtension: RecordingEntry.fileExtension, bytes: settled.status.size,
      sha256: settled.sha256,
      remoteName: RemoteName.make(
        rigID: metadata.rigID,
        wallNanoseconds: metadata.captured.wallNanoseconds ?? environment.wallNanoseconds(),
        id: id, sha256: settled.sha256, fileExtension: RecordingEntry.fileExtension),
      metadata: metadata)
    let sidecar = try row.encodedSidecar(targets: configuration.targets)
    try syncRemovals()
    do throws(SpoolError) {
      try withBallast { () throws(SpoolError) in
        try itemFiles.perform { () throws(FileSystemError) in
          try itemFiles.placeRecording(id, sidecar: sidecar)
        }
      }
      index.history.synced(shard: id.shard)
      try withBallast { () throws(SpoolError) in
        try index.commit(.enqueue(id)) { try row.insert($0, targets: configuration.targets) }
      }
    } catch {
      guard !error.isPersistent else { throw error }
      do throws(FileSystemError) {
        try itemFiles.unplaceRecording(id)
      } catch {
        throw SpoolError(.failed, error.path, error.call.problem, cause: error.message)
      }
      throw error
    }
    recordings[id] = nil
    if let number = metadata.pressNumber { index.intake.stored(number) }
    events.append(.stored(id))
    _ = try hasRemoved { () throws(FileSystemError) in
      try itemFiles.removeIfPresent(layout.recordingEntry(id))
    }
    return StoredItem(
      id: id, path: layout.image(id, row.fileExtension), byteCount: row.bytes,
      sha256: row.sha256.hexadecimal, remoteName: row.remoteName)
  }

  /// Removes a recording that becomes no item.
  ///
  /// - Throws: ``SpoolError``, code `failed`, when the new name cannot be forced to the disk.
  func discardRecording(_ id: ItemID) throws(SpoolError) {
    guard recordings.removeValue(forKey: id) != nil else { return }
    _ = try hasRemoved { () throws(FileSystemError) in try itemFiles.discardRecording(id) }
  }
}
