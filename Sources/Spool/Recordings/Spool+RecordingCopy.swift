import Glibc

/// Copies of recordings that have ended: an ordinary movie in the place of a fragmented one.
///
/// The functions throw as those of ``Spool/beginRecording(_:roomForBytes:)``.
extension Spool {
  /// Makes an empty file for a copy of a recording, if the copy leaves room for a picture.
  ///
  /// The facts at the end are on stable storage first. Nothing is evicted for a copy; see
  /// ``hasRoom(forCopyOf:bytes:)``. The next start removes a copy that was not taken.
  ///
  /// - Parameters:
  ///   - recording: the recording, to which nothing writes any more.
  ///   - metadata: the facts at the end; the spool sets the media type.
  ///   - bytes: the bytes that must be free besides those for a picture.
  /// - Returns: the path of the file.
  /// - Throws: ``SpoolError``: `unknownItem` for a recording that is an item or was removed.
  package func beginCopy(
    of recording: OpenRecording, metadata: ItemMetadata, roomForBytes bytes: Int64
  ) throws(SpoolError) -> String {
    try perform { storage throws(SpoolError) in
      try storage.beginCopy(of: recording.id, metadata, bytes: bytes)
    }
  }

  /// Returns whether the rest of a copy still leaves room for a picture.
  ///
  /// - Parameter bytes: the bytes that ``beginCopy(of:metadata:roomForBytes:)`` asked for.
  package func hasRoom(forCopyOf recording: OpenRecording, bytes: Int64) -> Bool {
    do throws(SpoolError) {
      return try perform { storage throws(SpoolError) in
        try storage.shortage(forCopyOf: recording.id, bytes: bytes) == nil
      }
    } catch {
      return false
    }
  }

  /// Puts a copy, which is on stable storage, in the place of its recording, durably.
  package func takeCopy(of recording: OpenRecording) throws(SpoolError) {
    try perform { storage throws(SpoolError) in try storage.takeCopy(of: recording.id) }
  }

  /// Removes a copy that is not taken.
  package func discardCopy(of recording: OpenRecording) {
    try? perform { storage throws(SpoolError) in try storage.discardCopy(of: recording.id) }
  }
}

extension SpoolStorage {
  func beginCopy(
    of id: ItemID, _ metadata: ItemMetadata, bytes: Int64
  ) throws(SpoolError) -> String {
    try beginStoring(id, noting: metadata)
    recordings[id]?.isBeingStored = false
    if let shortage = try shortage(forCopyOf: id, bytes: bytes) { throw refusal(shortage) }
    // A name that every start removes.
    let path = layout.discardedRecording(id)
    do throws(SpoolError) {
      try itemFiles.perform { () throws(FileSystemError) in
        try itemFiles.removeIfPresent(path)
        let flags = O_WRONLY | O_CREAT | O_EXCL
        environment.files.close(try environment.files.open(path, flags: flags, mode: 0o640))
      }
    } catch {
      if !error.isPersistent { try discardCopy(of: id) }
      throw error
    }
    return path
  }

  /// Returns the shortage for what a copy lacks and for a picture; `nil` when there is room.
  func shortage(forCopyOf id: ItemID, bytes: Int64) throws(SpoolError) -> Capacity.Shortage? {
    let copied = (try? environment.files.status(layout.discardedRecording(id)))?.size ?? 0
    return try shortageNow(
      bytes: max(0, bytes - copied) + configuration.roomBesideSources, items: 0)
  }

  func takeCopy(of id: ItemID) throws(SpoolError) {
    // The recording may have been removed while it was copied.
    guard recordings[id] != nil else {
      throw SpoolError(.unknownItem, id.description, "is no open recording of this spool")
    }
    try itemFiles.perform { () throws(FileSystemError) in
      try environment.files.rename(layout.discardedRecording(id), to: layout.recording(id))
      try environment.files.syncDirectory(layout.recordings)
    }
  }

  func discardCopy(of id: ItemID) throws(SpoolError) {
    _ = try hasRemoved { () throws(FileSystemError) in
      try itemFiles.removeIfPresent(layout.discardedRecording(id))
    }
  }
}
