import Digests

extension Spool {
  /// Puts pictures that belong together on stable storage and in the queue, all or none.
  ///
  /// No cut of the power leaves a part of the group, unless it takes the database with it. The
  /// pictures that the group replaces are looked up once.
  ///
  /// - Parameter items: the pictures, in memory; one or more.
  /// - Returns: the stored items in the same order.
  /// - Throws: ``SpoolError`` as ``store(_:)``; nothing is kept when the spool stays usable.
  package func store(group items: [NewItem]) throws(SpoolError) -> [StoredItem] {
    try perform { storage throws(SpoolError) in try storage.store(group: items) }
  }
}

/// The steps of a group: all images, the intent, all names, all rows in one commit.
extension SpoolStorage {
  func store(group items: [NewItem]) throws(SpoolError) -> [StoredItem] {
    var byteCount: Int64 = 0
    for item in items {
      try check(item)
      guard case .bytes(let bytes) = item.content else {
        throw SpoolError(.invalid, "group", "has a picture that is not in memory")
      }
      byteCount += Int64(bytes.count)
    }
    // Before the room for the new pictures is made, which may evict the replaced one.
    let replaced = items.first.flatMap { self.item(ofFirstOf: $0.replacing) }
    try syncRemovals()
    try makeRoom(bytes: byteCount, items: items.count)
    var begun: [GroupIntent.Member] = []
    var rows: [ItemRow] = []
    do throws(SpoolError) {
      for item in items {
        let id = ItemID(boot: boot, sequence: try takeSequence(), random: environment.random())
        begun.append(
          GroupIntent.Member(id: id.description, fileExtension: item.fileExtension))
        rows.append(try write(item, id, replacing: replaced))
      }
      try GroupIntent(members: begun).write(to: layout.root, files: environment.files)
      for row in rows { try name(row) }
      try index.commit(.group(rows.count)) { database in
        for row in rows { try row.insert(database, targets: configuration.targets) }
      }
    } catch {
      // After a failure, the next start finds out what has reached the disk.
      guard !error.isPersistent else { throw error }
      for member in begun {
        if let id = ItemID(member.id) { try discard(id, member.fileExtension) }
      }
      // Without its removals on stable storage, the group still needs its intent.
      if unsyncedShards.isEmpty { try removeIntent() }
      throw error
    }
    try removeIntent()
    for number in Set(rows.compactMap(\.metadata.pressNumber)) { index.intake.stored(number) }
    events += rows.map { SpoolEvent.stored($0.id) }
    return rows.map { row in
      StoredItem(
        id: row.id, path: layout.image(row.id, row.fileExtension), byteCount: row.bytes,
        sha256: row.sha256.hexadecimal, remoteName: row.remoteName, replacedItemID: replaced)
    }
  }

  /// Puts the image of a group's picture on stable storage, under the name of an unfinished file.
  private func write(
    _ item: NewItem, _ id: ItemID, replacing replaced: ItemID?
  ) throws(SpoolError) -> ItemRow {
    var metadata = item.metadata
    if let replaced { metadata.replacedItemID = replaced.description }
    let bytes = item.bytes
    try itemFiles.perform { () throws(FileSystemError) in
      try itemFiles.makeShard(id)
      try itemFiles.write(id, item.fileExtension, image: bytes)
    }
    let sha256 = Digest.value(.sha256, of: bytes)
    return ItemRow(
      id: id, fileExtension: item.fileExtension, bytes: Int64(bytes.count), sha256: sha256,
      remoteName: RemoteName.make(
        rigID: metadata.rigID,
        wallNanoseconds: metadata.captured.wallNanoseconds ?? environment.wallNanoseconds(),
        id: id, sha256: sha256, fileExtension: item.fileExtension),
      metadata: metadata)
  }

  /// Gives a picture of a group its sidecar and its name.
  private func name(_ row: ItemRow) throws(SpoolError) {
    let sidecar = try row.encodedSidecar(targets: configuration.targets)
    try itemFiles.perform { () throws(FileSystemError) in
      try itemFiles.finish(row.id, row.fileExtension, sidecar: sidecar)
    }
    index.history.synced(shard: row.id.shard)
  }

  /// Removes the intent of a group durably, so that no intent names acknowledged pictures.
  ///
  /// A file that cannot be removed is left to the next start, which knows the rows.
  private func removeIntent() throws(SpoolError) {
    let path = layout.root + "/" + GroupIntent.fileName
    _ = try hasRemoved { () throws(FileSystemError) in
      guard try environment.files.status(path) != nil else { return }
      try environment.files.unlink(path)
      try environment.files.syncDirectory(layout.root)
    }
  }
}
