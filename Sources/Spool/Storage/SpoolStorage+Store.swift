import Digests

extension SpoolStorage {
  /// Puts a picture on stable storage; see ``Spool/store(_:)``.
  func store(_ item: NewItem) throws(SpoolError) -> StoredItem {
    guard !item.bytes.isEmpty, RemoteName.isValidFileExtension(item.fileExtension) else {
      throw SpoolError(.invalid, item.fileExtension, "is no extension, or the picture is empty")
    }
    guard RemoteName.isValidRigID(item.metadata.rigID) else {
      throw SpoolError(.invalid, item.metadata.rigID, "is no rig ID")
    }
    let bytes = Int64(item.bytes.count)
    try syncRemovals()
    try makeRoom(bytes: bytes)
    let id = ItemID(boot: boot, sequence: try takeSequence(), random: environment.random())
    let sha256 = Digest.value(.sha256, of: item.bytes)
    let row = ItemRow(
      id: id, fileExtension: item.fileExtension, bytes: bytes, sha256: sha256,
      remoteName: RemoteName.make(
        rigID: item.metadata.rigID,
        wallNanoseconds: item.metadata.captured.wallNanoseconds ?? environment.wallNanoseconds(),
        id: id, sha256: sha256, fileExtension: item.fileExtension),
      metadata: item.metadata)
    let sidecar = try row.encodedSidecar(targets: configuration.targets)
    do throws(SpoolError) {
      do throws(SystemError) {
        try itemFiles.write(id, item.fileExtension, image: item.bytes, sidecar: sidecar)
      } catch {
        throw SpoolError(writing: error)
      }
      // Removals in this shard have become durable with the new names.
      index.history.synced(shard: id.shard)
      try index.commit(.enqueue(id)) { try row.insert($0, targets: configuration.targets) }
    } catch {
      // After a refusal the disk is sound, and no file stays. After a failure the files stay for
      // the next start, which finds out what has reached the disk.
      guard !error.isPersistent else { throw error }
      try discard(id, item.fileExtension)
      throw error
    }
    if let number = item.metadata.pressNumber { index.intake.stored(number) }
    events.append(.stored(id))
    return StoredItem(
      id: id, path: layout.image(id, item.fileExtension), byteCount: bytes,
      sha256: sha256.hexadecimal, remoteName: row.remoteName)
  }

  /// Removes every trace of a picture that was refused.
  private func discard(_ id: ItemID, _ fileExtension: String) throws(SpoolError) {
    do throws(SystemError) {
      try itemFiles.discard(id, fileExtension)
    } catch  where error.kind == .noResources && error.call == .open {
      // The names are gone, and only the open of their directory has failed.
      unsyncedShards.insert(id.shard)
    } catch {
      throw SpoolError(.failed, error.path, error.call.problem, cause: error.message)
    }
  }

  /// Makes removals durable after a lack of descriptors; a store waits for it.
  private func syncRemovals() throws(SpoolError) {
    for shard in unsyncedShards {
      do throws(SystemError) {
        try itemFiles.syncShard(shard)
      } catch {
        throw SpoolError(writing: error)
      }
      unsyncedShards.remove(shard)
    }
  }

  /// Gives out press numbers that are durable as given out.
  func reservePressNumbers(_ count: Int) throws(SpoolError) -> Range<Int64> {
    guard (1...1_000_000).contains(count) else {
      throw SpoolError(.invalid, "\(count)", "is no count of press numbers, 1 to 1000000")
    }
    let range = nextPress..<(nextPress + Int64(count))
    // A press on a full disk is refused, and the refusal needs a number too.
    try withBallast { () throws(SpoolError) in
      try cover(sequence: nextSequence, press: range.upperBound)
    }
    try withBallast { () throws(SpoolError) in
      try index.commit(.pressNumbers) { database in
        try ItemRow.setNumber("last_press", range.upperBound - 1, database)
      }
    }
    nextPress = range.upperBound
    return range
  }

  private func takeSequence() throws(SpoolError) -> Int64 {
    try cover(sequence: nextSequence + 1, press: nextPress)
    // The number is taken even if the store fails, because a crash may bring back files with it.
    defer { nextSequence += 1 }
    return nextSequence
  }

  private func cover(sequence: Int64, press: Int64) throws(SpoolError) {
    guard !limits.covers(sequence: sequence, press: press) else { return }
    var raised = limits
    raised.raise(sequence: sequence, press: press)
    try raised.write(to: layout.root, files: environment.files)
    limits = raised
  }
}
