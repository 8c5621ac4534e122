import Devices

extension Recovery {
  /// The number of pictures forced to the disk one by one; beyond it the whole file system is.
  static let singleSyncLimit = 64

  /// Whether files without a row may get one, because their numbers are countable or already used.
  func mayAdopt(_ id: ItemID) throws(SpoolError) -> Bool {
    if id.isCountable { return true }
    let last = try index.lastNumbers()
    return id.boot <= index.boot && id.sequence <= last.sequence
  }

  /// Examines files that have no row.
  ///
  /// - Returns: the row to insert, quarantined when the picture is damaged; `nil` when there is no
  ///   picture, or when the numbers are not the spool's.
  mutating func examine(
    _ id: ItemID, _ item: ShardListing.Item
  ) throws(SpoolError) -> (ItemRow, [TargetID])? {
    guard try mayAdopt(id) else {
      report.foreign += item.names(id).count
      return nil
    }
    let sidecar = item.hasSidecar ? readSidecar(id) : nil
    let image = item.images.first { $0.fileExtension == sidecar?.fileExtension }
    guard let image = image ?? item.images.first else {
      // Either the picture was delivered and the database lost, or a crash came between the two
      // renames. Neither case needs a row.
      let isMoved = try attempt { (recovery) throws(FileSystemError) in
        try recovery.itemFiles.quarantine(item.names(id), of: id)
      }
      if isMoved { report.lonelySidecars += 1 }
      return nil
    }
    if let sidecar, sidecar.fileExtension == image.fileExtension {
      var row = ItemRow(sidecar)
      if (try? files.status(layout.source(id))) == nil { row.metadata.proxy = nil }
      if try !matches(row, image.status) {
        row.state = .quarantined
        row.reason = QuarantineReason.damaged.rawValue
      }
      return (row, sidecar.targets)
    }
    return (try describe(id, image.fileExtension, image.status, item), configuration.targets)
  }

  /// Inserts the rows of one shard, in one commit.
  mutating func adopt(_ orphans: [(row: ItemRow, targets: [TargetID])]) throws(SpoolError) {
    guard let shard = orphans.first.map({ layout.shard($0.row.id) }) else { return }
    try force(orphans.filter { $0.row.state != .quarantined }.map(\.row), in: shard)
    let isRebuild = isIndexMissing
    try index.commit(.adopt(orphans.count)) { database in
      if isRebuild { try index.audit(.rebuilt, detail: "it was missing", database) }
      for (row, targets) in orphans {
        try row.insert(database, targets: targets)
        if let reason = row.quarantineReason {
          try index.audit(.quarantined, item: row.id, detail: reason.rawValue, database)
        }
      }
    }
    isIndexMissing = false
    for (row, _) in orphans {
      guard row.state == .quarantined else {
        report.adopted += 1
        events.append(.waiting(row.id))
        continue
      }
      report.quarantined += 1
      let names = [
        SpoolLayout.imageName(row.id, row.fileExtension), SpoolLayout.sidecarName(row.id),
      ]
      _ = try attempt { (recovery) throws(FileSystemError) in
        try recovery.itemFiles.quarantine(names, of: row.id)
      }
    }
  }

  /// Forces pictures to the disk that may only be in the page cache, from a killed process.
  ///
  /// Pictures of another boot were read from the disk. Many pictures are forced out together,
  /// because two calls of `fsync` for each of ten thousand would take minutes.
  private mutating func force(_ rows: [ItemRow], in shard: String) throws(SpoolError) {
    guard isSameBoot, syncedPictures <= Self.singleSyncLimit else { return }
    syncedPictures += rows.count
    try itemFiles.perform { () throws(FileSystemError) in
      if syncedPictures > Self.singleSyncLimit {
        return try files.syncFileSystem(layout.items)
      }
      for row in rows {
        try files.syncFile(layout.image(row.id, row.fileExtension))
        try files.syncFile(layout.sidecar(row.id))
      }
      try files.syncDirectory(shard)
    }
  }

  func readSidecar(_ id: ItemID) -> Sidecar? {
    guard let bytes = try? files.readFile(layout.sidecar(id), limit: Sidecar.maximumBytes) else {
      return nil
    }
    return Sidecar.decode(bytes, id: id)
  }

  /// Whether a picture matches its sidecar; beyond the limit only the length is compared.
  private mutating func matches(
    _ row: ItemRow, _ status: FileStatus
  ) throws(SpoolError) -> Bool {
    guard status.size == row.bytes else { return false }
    guard hashedBytes + status.size <= Self.hashedBytesLimit else { return true }
    hashedBytes += status.size
    sliceBytes += status.size
    do throws(FileSystemError) {
      let path = layout.image(row.id, row.fileExtension)
      return try files.hashFile(path, expecting: status.size).sha256 == row.sha256
    } catch {
      guard error.kind == .other else { throw SpoolError(writing: error) }
      return false
    }
  }

  /// Makes the row and the sidecar of a picture of which only the name is known.
  private mutating func describe(
    _ id: ItemID, _ fileExtension: String, _ status: FileStatus, _ item: ShardListing.Item
  ) throws(SpoolError) -> ItemRow {
    let captured = CaptureTime(
      bootID: nil, monotonicNanoseconds: nil, wallNanoseconds: status.modifiedNanoseconds,
      wallTrust: .unknown)
    var row = ItemRow(
      id: id, fileExtension: fileExtension, bytes: status.size, sha256: [], remoteName: "",
      metadata: ItemMetadata(rigID: configuration.rigID, pressNumber: nil, captured: captured))
    if fileExtension == RecordingEntry.fileExtension {
      row.metadata.mediaType = RecordingEntry.mediaType
    }
    sliceBytes += status.size
    do throws(FileSystemError) {
      row.sha256 = try files.hashFile(
        layout.image(id, fileExtension), expecting: status.size
      ).sha256
    } catch {
      guard error.kind == .other else { throw SpoolError(writing: error) }
      row.state = .quarantined
      row.reason = QuarantineReason.unreadable.rawValue
    }
    if status.size == 0 {
      row.state = .quarantined
      row.reason = QuarantineReason.damaged.rawValue
    }
    row.remoteName = RemoteName.make(
      rigID: configuration.rigID, wallNanoseconds: status.modifiedNanoseconds, id: id,
      sha256: row.sha256, fileExtension: fileExtension)
    if row.state == .stored {
      // A damaged sidecar, or one of a newer version, is moved to the quarantine.
      var isFree = true
      if item.hasSidecar {
        isFree = try attempt { (recovery) throws(FileSystemError) in
          try recovery.itemFiles.quarantine([SpoolLayout.sidecarName(id)], of: id)
        }
      }
      if isFree { try writeSidecar(row, targets: configuration.targets) }
      report.adoptedWithoutSidecar += 1
    }
    return row
  }
}
