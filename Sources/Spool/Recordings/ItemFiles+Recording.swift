import Glibc

/// The files of recordings, and the order in which they reach the disk.
extension ItemFiles {
  /// Makes the durable place of a recording: its entry, and then its empty file.
  ///
  /// - Throws: ``FileSystemError``; the caller must then remove leftovers with
  ///   ``discardRecording(_:)``.
  func beginRecording(_ id: ItemID, entry: [UInt8]) throws(FileSystemError) {
    try makeShard(id)
    try files.makeDurableDirectory(layout.recordings, in: layout.root)
    try files.replaceFile(SpoolLayout.sidecarName(id), in: layout.recordings, entry)
    let flags = O_WRONLY | O_CREAT | O_EXCL
    files.close(try files.open(layout.recording(id), flags: flags, mode: 0o640))
    try files.syncDirectory(layout.recordings)
  }

  /// Gives a recording on stable storage its sidecar and its place among the items, durably.
  ///
  /// The name of the sidecar is durable before the recording moves. A recording among the items is
  /// therefore complete and can be adopted. A second call begins anew.
  func placeRecording(_ id: ItemID, sidecar: [UInt8]) throws(FileSystemError) {
    try makeShard(id)
    try rewriteSidecar(id, sidecar)
    try moveRecording(id)
  }

  /// Moves a recording among the items, durably.
  func moveRecording(_ id: ItemID) throws(FileSystemError) {
    try files.rename(
      layout.recording(id), to: layout.image(id, RecordingEntry.fileExtension))
    try files.syncDirectory(layout.shard(id))
    try files.syncDirectory(layout.recordings)
  }

  /// Moves a recording that got no row back to where it was, durably.
  func unplaceRecording(_ id: ItemID) throws(FileSystemError) {
    let image = layout.image(id, RecordingEntry.fileExtension)
    if try files.status(image) != nil {
      try files.rename(image, to: layout.recording(id))
      try files.syncDirectory(layout.recordings)
    }
    try removeIfPresent(layout.part(id, "json"))
    try removeIfPresent(layout.sidecar(id))
    try syncShard(id.shard)
  }

  /// Removes a recording durably.
  ///
  /// The file first gets a name under which every start removes it, because the next start stores
  /// a file that still has its own name. On a full disk the longer name may need room.
  func discardRecording(_ id: ItemID) throws(FileSystemError) {
    guard try files.status(layout.recordings) != nil else { return }
    if try files.status(layout.recording(id)) != nil {
      do throws(FileSystemError) {
        try files.rename(layout.recording(id), to: layout.discardedRecording(id))
      } catch {
        try files.unlink(layout.recording(id))
      }
      try files.syncDirectory(layout.recordings)
    }
    try removeIfPresent(layout.discardedRecording(id))
    try removeIfPresent(layout.recordingEntry(id))
    try removeEntryPart(id)
  }

  /// Writes the facts at the end of a recording over those at its beginning, durably.
  ///
  /// - Throws: ``FileSystemError``; the caller must then call ``removeEntryPart(_:)``.
  func rewriteEntry(_ id: ItemID, entry: [UInt8]) throws(FileSystemError) {
    try files.replaceFile(SpoolLayout.sidecarName(id), in: layout.recordings, entry)
  }

  /// Removes an entry that was not written to its end.
  func removeEntryPart(_ id: ItemID) throws(FileSystemError) {
    try removeIfPresent(layout.recordings + "/." + SpoolLayout.sidecarName(id) + ".part")
  }

  /// Returns the names of all recordings and entries; none before the first recording.
  func recordingNames() throws(FileSystemError) -> [String] {
    do throws(FileSystemError) {
      return try files.list(layout.recordings).sorted()
    } catch  where error.number == ENOENT {
      return []
    }
  }

  /// Reads the entry of a recording; `nil` for none, and for one that is not whole.
  func recordingEntry(_ id: ItemID) -> RecordingEntry? {
    (try? files.readFile(layout.recordingEntry(id), limit: Sidecar.maximumBytes)).flatMap {
      RecordingEntry.decode($0, id: id)
    }
  }
}
