/// Puts files and rows in agreement at the start.
///
/// It can be cut off at any step and started again, and a second run finds nothing to do. It never
/// removes a picture that is not delivered: what does not fit is adopted or moved to the
/// quarantine. Names that the spool does not make, symbolic links, directories and devices are
/// left alone. A file that the medium does not give, or does not let go of, is left behind and keeps
/// its row: the start goes on without it.
struct Recovery {
  /// Adopted pictures are hashed up to this many bytes in all, so that the start stays short after
  /// a database is lost; the others are hashed before their delivery, as every picture is.
  static let hashedBytesLimit: Int64 = 512 << 20

  let layout: SpoolLayout
  let files: any FileSystem
  let itemFiles: ItemFiles
  let index: ItemIndex
  let configuration: SpoolConfiguration
  var hashedBytes: Int64 = 0
  /// Whether there was no database at all, so that the first adoption is written down as a rebuild.
  var isIndexMissing = false
  /// Whether the directories may hold removals of a killed process that are not durable yet.
  var isSameBoot = true
  /// Pictures that were forced to the disk one by one.
  var syncedPictures = 0
  /// What the medium has refused.
  var leftBehind: [SystemError] = []
  /// Quarantined pictures of which it is not known now whether they are intact.
  var leftInPlace = 0
  /// Shards that cannot be read now: nothing is known of what lies in them.
  var unreadShards: Set<String> = []
  /// Whether the quarantine cannot be read now.
  var isQuarantineUnread = false
  var report = RecoveryReport()

  init(itemFiles: ItemFiles, index: ItemIndex, configuration: SpoolConfiguration) {
    self.itemFiles = itemFiles
    self.layout = itemFiles.layout
    self.files = itemFiles.files
    self.index = index
    self.configuration = configuration
  }

  /// Goes through all shards, and in each through the rows whose files were not met.
  mutating func run() throws(SpoolError) -> RecoveryReport {
    var (waiting, unreadable) = try index.waitingFiles()
    if !unreadable.isEmpty {
      try index.setAside(unreadable: unreadable)
      report.quarantined += unreadable.count
    }
    for shard in SpoolLayout.shards {
      var missing = Dictionary(
        (waiting.removeValue(forKey: shard) ?? []).map { ($0.id, $0) },
        uniquingKeysWith: { first, _ in first })
      guard let found = try read(shard) else { continue }
      var orphans: [(ItemRow, [TargetID])] = []
      for (id, item) in found.sorted(by: { $0.key.sequence < $1.key.sequence }) {
        if let file = missing.removeValue(forKey: id) {
          try check(file, item)
        } else if let row = try index.row(id) {
          try finish(row, item)
        } else if let orphan = try examine(id, item) {
          orphans.append(orphan)
        }
      }
      try adopt(orphans)
      for id in missing.keys.sorted(by: { $0.sequence < $1.sequence }) {
        try quarantine(id, .missing, names: [])
      }
    }
    try settleQuarantine()
    // Their files were not there, or have just been removed.
    for (sequence, id) in try index.deliveredRows()
    where !index.history.stuck.contains(sequence) && !unreadShards.contains(id.shard) {
      index.history.purged(sequence, shard: id.shard)
    }
    report.leftBehind = leftBehind.count
    return report
  }

  /// Reads a shard; `nil` when the medium does not give it.
  private mutating func read(
    _ shard: String
  ) throws(SpoolError) -> [ItemID: ShardListing.Item]? {
    var items: [ItemID: ShardListing.Item]?
    let isRead = try attempt { [isSameBoot] (recovery) throws(SystemError) in
      if isSameBoot { try recovery.sync(shard) }
      items = try recovery.list(shard)
    }
    if !isRead { unreadShards.insert(shard) }
    return items
  }

  /// Does something that rows do not depend on, and notes what the medium refuses.
  ///
  /// - Returns: whether it was done.
  /// - Throws: ``SpoolError`` for a failed `fsync` and for a lack of room or of descriptors.
  mutating func attempt(
    _ body: (inout Recovery) throws(SystemError) -> Void
  ) throws(SpoolError) -> Bool {
    do throws(SystemError) {
      try body(&self)
      return true
    } catch  where error.isOfOneFile {
      leftBehind.append(error)
      return false
    } catch {
      throw SpoolError(writing: error)
    }
  }

  /// Makes durable what a killed process has removed: its row may be pruned from now on.
  private func sync(_ shard: String) throws(SystemError) {
    let directory = layout.items + "/" + shard
    if try files.status(directory)?.kind == .directory { try files.syncDirectory(directory) }
  }

  /// Reads a shard and removes what a crash left half-written.
  private mutating func list(_ shard: String) throws(SystemError) -> [ItemID: ShardListing.Item] {
    let directory = layout.items + "/" + shard
    let listing = try ShardListing(directory, shard: shard, files: files)
    for part in listing.parts {
      do throws(SystemError) {
        try files.unlink(directory + "/" + part)
        report.removedParts += 1
      } catch  where error.isOfOneFile {
        leftBehind.append(error)
      }
    }
    report.foreign += listing.foreign.count
    return listing.items
  }

  /// An item that waits: its image must be there in full length, and so must its sidecar.
  mutating func check(_ file: WaitingFile, _ item: ShardListing.Item) throws(SpoolError) {
    let image = item.images.first { $0.fileExtension == file.fileExtension }
    if let image, image.status.size == file.bytes, item.hasSidecar { return }
    guard let row = try index.row(file.id) else { return }
    guard let image, image.status.size == file.bytes else {
      try itemFiles.requireRight(row)
      return try quarantine(
        file.id, image == nil ? .missing : .damaged, names: item.names(file.id))
    }
    try writeSidecar(row, targets: try index.targets(of: file.id))
    report.restoredSidecars += 1
  }

  /// An item that is done, given up or quarantined: its files do not belong here any more.
  mutating func finish(_ row: ItemRow, _ item: ShardListing.Item) throws(SpoolError) {
    switch row.state {
    case .delivered, .purged, .evicted:
      let isRemoved = try attempt { (recovery) throws(SystemError) in
        try recovery.itemFiles.remove(row.id, row.fileExtension)
      }
      if let sequence = try index.sequence(of: row.id) {
        // The row must not be pruned before this is durable.
        if isRemoved {
          index.history.removed(sequence, shard: row.id.shard)
        } else {
          index.history.stuck(sequence)
        }
      }
      guard isRemoved else { return }
      if row.state == .evicted { report.removedEvicted += 1 } else { report.removedDelivered += 1 }
    case .quarantined:
      switch try restore(row, item) {
      case .restored: return
      case .leftInPlace:
        leftInPlace += 1
        return
      case .notIntact: break
      }
      _ = try attempt { (recovery) throws(SystemError) in
        try recovery.itemFiles.quarantine(item.names(row.id), of: row.id)
      }
    case .stored, .parked:
      throw SpoolError(
        .indexDamaged, layout.database, "contradicts itself",
        cause: "\(row.id) waits and is not among those that wait")
    }
  }

  mutating func quarantine(
    _ id: ItemID, _ reason: QuarantineReason, names: [String]
  ) throws(SpoolError) {
    try index.quarantine(id, reason)
    _ = try attempt { (recovery) throws(SystemError) in
      try recovery.itemFiles.quarantine(names, of: id)
    }
    report.quarantined += 1
  }

  func writeSidecar(_ row: ItemRow, targets: [TargetID]) throws(SpoolError) {
    let bytes = try row.encodedSidecar(targets: targets)
    try inShard { () throws(SystemError) in try itemFiles.rewriteSidecar(row.id, bytes) }
  }

  func inShard<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(SpoolError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw SpoolError(writing: error)
    }
  }
}

extension SystemError {
  /// Whether it concerns one file or directory, and not what is true of all: a failed `fsync`, a
  /// full disk, a lack of descriptors.
  var isOfOneFile: Bool { kind == .other && call != .sync }
}

extension ItemRow {
  func encodedSidecar(targets: [TargetID]) throws(SpoolError) -> [UInt8] {
    do {
      return try sidecar(targets: targets).encoded()
    } catch {
      throw SpoolError(.invalid, id.description, "has metadata that are no JSON", cause: "\(error)")
    }
  }
}
