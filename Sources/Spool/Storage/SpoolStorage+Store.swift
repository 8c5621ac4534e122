import Devices
import Digests

extension SpoolStorage {
  /// The content of a picture that is being stored.
  private enum Incoming {
    case bytes([UInt8])
    case file(ExaminedFile)

    var byteCount: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.count)
      case .file(let file): file.source.byteCount
      }
    }

    /// The bytes that the picture adds to the file system, as long as its file can be moved.
    var writtenBytes: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.count)
      case .file(let file): file.sha256 == nil ? file.source.byteCount : 0
      }
    }
  }

  /// Puts a picture on stable storage; see ``Spool/store(_:)``.
  ///
  /// - Parameter examined: the file of an item that comes as one, or the reason for its refusal.
  func store(
    _ item: NewItem, _ examined: Result<ExaminedFile, SpoolError>? = nil
  ) throws(SpoolError) -> StoredItem {
    switch item.content {
    case .bytes(let bytes):
      do throws(SpoolError) {
        try check(item)
        // The source of the picture goes before everything else that makes room for the picture.
        if item.source != nil, let shortage = try shortageNow(bytes: Int64(bytes.count)) {
          throw refusal(shortage)
        }
        return try keep(item, .bytes(bytes))
      } catch {
        guard let source = item.source, !error.isPersistent else { throw error }
        try discard(source)
        guard error.code == .full else { throw error }
        var alone = item
        alone.source = nil
        alone.metadata.singleFrame = .storage
        return try keep(alone, .bytes(bytes))
      }
    case .file(let path):
      do throws(SpoolError) {
        // A failure of the medium counts before everything else.
        let examined = examined ?? .failure(SpoolError(.invalid, path, "was not examined"))
        let file = try examined.get()
        try check(item)
        return try keep(item, .file(file))
      } catch {
        throw error.refusing(path)
      }
    }
  }

  func check(_ item: NewItem) throws(SpoolError) {
    guard item.content != .bytes([]), RemoteName.isValidFileExtension(item.fileExtension) else {
      throw SpoolError(.invalid, item.fileExtension, "is no extension, or the picture is empty")
    }
    guard RemoteName.isValidRigID(item.metadata.rigID) else {
      throw SpoolError(.invalid, item.metadata.rigID, "is no rig ID")
    }
  }

  private func keep(_ item: NewItem, _ content: Incoming) throws(SpoolError) -> StoredItem {
    var metadata = item.metadata
    if let replaced = self.item(ofFirstOf: item.replacing) {
      metadata.replacedItemID = replaced.description
    }
    if item.source != nil { metadata.proxy = ProxyState() }
    try syncRemovals()
    try makeRoom(bytes: content.byteCount, written: content.writtenBytes)
    let id = ItemID(boot: boot, sequence: try takeSequence(), random: environment.random())
    let row: ItemRow
    do throws(SpoolError) {
      try itemFiles.perform { () throws(FileSystemError) in try itemFiles.makeShard(id) }
      let sha256 = try write(content, id, item.fileExtension)
      row = ItemRow(
        id: id, fileExtension: item.fileExtension, bytes: content.byteCount, sha256: sha256,
        remoteName: RemoteName.make(
          rigID: metadata.rigID,
          wallNanoseconds: metadata.captured.wallNanoseconds ?? environment.wallNanoseconds(),
          id: id, sha256: sha256, fileExtension: item.fileExtension),
        metadata: metadata)
      if let source = item.source { try place(source, of: id) }
      try commit(row)
    } catch {
      // After a refusal the disk is sound, and no file stays. After a failure the files stay for
      // the next start, which finds out what has reached the disk.
      guard !error.isPersistent else { throw error }
      try discard(id, item.fileExtension)
      try removeSource(id)
      throw error
    }
    if let source = item.source { pendingSources[source.path] = nil }
    if let number = metadata.pressNumber { index.intake.stored(number) }
    events.append(.stored(id))
    if case .file(let file) = content { remove(file.source) }
    return StoredItem(
      id: id, path: layout.image(id, row.fileExtension), byteCount: row.bytes,
      sha256: row.sha256.hexadecimal, remoteName: row.remoteName,
      replacedItemID: metadata.replacedItemID.flatMap(ItemID.init), isProxy: item.source != nil)
  }

  /// Puts the image on stable storage, under the name of an unfinished file; returns its SHA-256.
  private func write(
    _ content: Incoming, _ id: ItemID, _ fileExtension: String
  ) throws(SpoolError) -> [UInt8] {
    switch content {
    case .bytes(let bytes):
      try itemFiles.perform { () throws(FileSystemError) in
        try itemFiles.write(id, fileExtension, image: bytes)
      }
      return Digest.value(.sha256, of: bytes)
    case .file(let file):
      guard let sha256 = file.sha256 else {
        return try itemFiles.copy(file.source, as: id, fileExtension)
      }
      if try itemFiles.link(file.source, as: id, fileExtension) { return sha256 }
      try makeRoom(bytes: file.source.byteCount)
      let again = try file.source.reopened(outside: layout)
      return try itemFiles.copy(again, as: id, fileExtension)
    }
  }

  /// Gives an image on stable storage its sidecar, its name and its row.
  private func commit(_ row: ItemRow) throws(SpoolError) {
    let sidecar = try row.encodedSidecar(targets: configuration.targets)
    try itemFiles.perform { () throws(FileSystemError) in
      try itemFiles.finish(row.id, row.fileExtension, sidecar: sidecar)
    }
    // Removals in this shard have become durable with the new names.
    index.history.synced(shard: row.id.shard)
    try index.commit(.enqueue(row.id)) { try row.insert($0, targets: configuration.targets) }
  }

  /// Removes a file whose item is in the spool; a failure is only noted.
  private func remove(_ source: SourceFile) {
    do throws(FileSystemError) {
      try source.remove()
    } catch {
      leftSources.append(error)
    }
  }

  /// Removes every trace of a picture that was refused.
  func discard(_ id: ItemID, _ fileExtension: String) throws(SpoolError) {
    do throws(FileSystemError) {
      try itemFiles.discard(id, fileExtension)
    } catch  where error.kind == .noResources && error.call == .open {
      // The names are gone, and only the open of their directory has failed.
      unsyncedShards.insert(id.shard)
    } catch {
      throw SpoolError(.failed, error.path, error.call.problem, cause: error.message)
    }
  }

  /// Makes removals durable after a lack of descriptors; a store waits for it.
  func syncRemovals() throws(SpoolError) {
    for shard in unsyncedShards {
      do throws(FileSystemError) {
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

  func takeSequence() throws(SpoolError) -> Int64 {
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
