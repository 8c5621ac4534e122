/// The recovery, which brings files and rows into agreement, a slice at a time.
///
/// The start runs the recovery and leaves the rest of a long queue to the background. The recovery
/// can be interrupted at any step and restarted, and a second run finds nothing to do. Only
/// unfinished files and files of delivered or evicted items are removed. A picture that does not
/// fit is adopted or moved to the quarantine. Foreign names, symbolic links, directories and
/// devices are left alone. A file that the medium refuses to read or to remove is left behind and
/// keeps its row, and the start goes on.
///
/// Rows are compared with their files first, then the files of each shard with their rows. Between
/// two slices the spool may do anything else. A slice relies on nothing that an earlier slice has
/// seen, except for names of files, which are looked up again.
struct Recovery {
  /// The bytes up to which adopted pictures are hashed, so that the start after a loss stays short.
  ///
  /// The other pictures are hashed before their delivery, as every picture is.
  static let hashedBytesLimit: Int64 = 512 << 20
  /// The number of rows that one slice compares with their files.
  static let rowSlice = 64
  /// The number of items of a shard or of the quarantine that one slice compares with their rows.
  static let itemSlice = 256
  /// The number of hashed bytes after which a slice ends.
  static let byteSlice: Int64 = 8 << 20

  /// The next part to compare.
  enum Position: Equatable {
    case beginning
    /// The rows of the queue after this one.
    case rows(after: Int64)
    /// The names in the directory of this shard.
    case shard(Int)
    /// The items found in the shard's directory, after the first `seen` ones.
    case items(shard: Int, seen: Int)
    /// The names in the quarantine.
    case quarantine
    /// The items found in the quarantine, after the first `seen` ones.
    case quarantined(seen: Int)
    case end
  }

  let layout: SpoolLayout
  let files: any FileSystem
  let itemFiles: ItemFiles
  let index: ItemIndex
  let configuration: SpoolConfiguration
  private(set) var position = Position.beginning
  /// The number of rows and names that have been compared.
  private(set) var entries = 0
  private var listing = ShardListing()
  private var ids: [ItemID] = []
  private var quarantinedNames: [ItemID: [String]] = [:]
  /// Items that every target had at the beginning and that are not marked as purged yet.
  private var delivered: [(sequence: Int64, id: ItemID)] = []
  /// Whether the doubtful shards are forced to the disk now; see ``History/doubtfulShards``.
  private var syncsShards = false
  /// Changes of the queue that are not published yet.
  var events: [SpoolEvent] = []
  var hashedBytes: Int64 = 0
  /// The number of bytes hashed in this slice.
  var sliceBytes: Int64 = 0
  /// Whether there was no database at all, so that the first adoption is recorded as a rebuild.
  var isIndexMissing = false
  /// Whether the directories may hold removals of a killed process that are not durable yet.
  var isSameBoot = true
  /// The number of pictures forced to the disk one by one.
  var syncedPictures = 0
  /// The calls that the medium has refused.
  var leftBehind: [FileSystemError] = []
  /// The number of quarantined pictures that could not be checked or restored.
  var leftInPlace = 0
  /// Shards that cannot be read now, so that their contents are unknown.
  var unreadShards: Set<String> = []
  /// Quarantined pictures whose files cannot be moved now.
  var unmoved: Set<ItemID> = []
  /// The presses whose recordings are open, which have no outcome yet.
  var recordedPresses: Set<Int64> = []
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

  /// Returns whether the row of a waiting item has been compared with its files.
  func hasCompared(_ sequence: Int64) -> Bool {
    switch position {
    case .beginning: false
    case .rows(let last): sequence <= last
    case .shard, .items, .quarantine, .quarantined, .end: true
    }
  }

  /// Compares at least `limit` rows and names, or all.
  mutating func run(entries limit: Int = .max) throws(SpoolError) {
    while position != .end, entries < limit { try advance() }
  }

  /// Runs the next slice; after a failure the next call retries the slice.
  mutating func advance() throws(SpoolError) {
    sliceBytes = 0
    switch position {
    case .beginning:
      delivered = try index.deliveredRows()
      if isSameBoot { try doubtRemovals() }
      position = .rows(after: 0)
    case .rows(let last): try checkRows(after: last)
    case .shard(let number):
      guard number < SpoolLayout.shards.count else { return position = .quarantine }
      try read(number)
    case .items(let number, let seen):
      let end = seen + (try compare(ids[seen...].prefix(Self.itemSlice)))
      position = end < ids.count ? .items(shard: number, seen: end) : .shard(number + 1)
    case .quarantine:
      quarantinedNames = try readQuarantine()
      ids = quarantinedNames.keys.sorted { $0.sequence < $1.sequence }
      position = .quarantined(seen: 0)
    case .quarantined(let seen) where seen < ids.count:
      let slice = ids[seen...].prefix(Self.itemSlice)
      try settleQuarantined(slice.map { ($0, quarantinedNames[$0] ?? []) })
      position = .quarantined(seen: seen + slice.count)
    case .quarantined:
      // The files of these items were missing or have just been removed.
      for (sequence, id) in delivered
      where !index.history.stuck.contains(sequence) && !unreadShards.contains(id.shard) {
        index.history.purged(sequence, shard: id.shard)
      }
      position = .end
    case .end: break
    }
  }

  /// Allows pruning from now on, and gives the presses of earlier runs their outcome.
  ///
  /// The press of an open recording gets its outcome with the recording.
  ///
  /// - Parameter last: the last press of an earlier run.
  mutating func conclude(lastPress last: Int64) throws(SpoolError) {
    report.settledPresses = try index.settlePresses(through: last, except: recordedPresses)
    index.history.mayPrune = unreadShards.isEmpty && !isQuarantineUnread
    if index.history.mayPrune { try sweepSources() }
  }

  private mutating func checkRows(after last: Int64) throws(SpoolError) {
    let rows = try index.waitingFiles(after: last, limit: Self.rowSlice)
    guard let end = rows.last?.sequence else { return position = .shard(0) }
    let unreadable = rows.filter { $0.file == nil }.map(\.sequence)
    if !unreadable.isEmpty {
      try index.setAside(unreadable: unreadable)
      report.quarantined += unreadable.count
    }
    for file in rows.compactMap(\.file) where !unreadShards.contains(file.id.shard) {
      try check(file)
    }
    entries += rows.count
    position = .rows(after: end)
  }

  /// Reads the names of a shard.
  private mutating func read(_ number: Int) throws(SpoolError) {
    let shard = SpoolLayout.shards[number]
    listing = ShardListing()
    let isRead = try attempt { (recovery) throws(FileSystemError) in
      if recovery.syncsShards { try recovery.sync(shard) }
      recovery.listing = try recovery.list(shard)
    }
    if !isRead { unreadShards.insert(shard) }
    entries += listing.names.count
    ids = listing.items.keys.sorted { $0.sequence < $1.sequence }
    position = ids.isEmpty ? .shard(number + 1) : .items(shard: number, seen: 0)
  }

  /// Compares items of a shard with their rows.
  ///
  /// - Returns: the number of leading items that were compared.
  private mutating func compare(_ ids: ArraySlice<ItemID>) throws(SpoolError) -> Int {
    var orphans: [(ItemRow, [TargetID])] = []
    var count = 0
    for id in ids {
      if sliceBytes >= Self.byteSlice { break }
      count += 1
      guard !unreadShards.contains(id.shard), !unmoved.contains(id) else { continue }
      let row = try index.row(id)
      if let row, row.state.isWaiting {
        // The files of a waiting item have been compared with its row already.
        try index.requireListed(row)
        continue
      }
      var item = ShardListing.Item()
      let isSeen = try attempt { (recovery) throws(FileSystemError) in
        item = try recovery.listing.item(id, files: recovery.files)
      }
      guard isSeen else {
        unreadShards.insert(id.shard)
        continue
      }
      report.foreign += item.foreign.count
      if item.isEmpty { continue }
      if let row {
        try finish(row, item)
      } else if let orphan = try examine(id, item) {
        orphans.append(orphan)
      }
    }
    try adopt(orphans)
    return count
  }

  /// Runs a step that rows do not depend on, and notes a refusal by the medium.
  ///
  /// - Returns: whether the step was done.
  /// - Throws: ``SpoolError`` for a failed `fsync` and for a lack of room or of descriptors.
  mutating func attempt(
    _ body: (inout Recovery) throws(FileSystemError) -> Void
  ) throws(SpoolError) -> Bool {
    do throws(FileSystemError) {
      try body(&self)
      return true
    } catch  where error.isOfOneFile {
      leave(error)
      return false
    } catch {
      throw SpoolError(writing: error)
    }
  }

  /// Notes a refusal by the medium.
  mutating func leave(_ error: FileSystemError) {
    leftBehind.append(error)
    report.leftBehind += 1
  }

  /// Notes that a killed process may have left removals that are not durable, in any shard.
  ///
  /// Far from the history's limit, later pictures make the removals durable at no extra cost.
  private mutating func doubtRemovals() throws(SpoolError) {
    let tally = try index.tally()
    let kept = tally[.purged].count + tally[.evicted].count
    syncsShards = kept + History.usualUnsyncedLimit > index.history.limit
    index.history.doubtfulShards = Set(SpoolLayout.shards)
  }

  /// Makes the removals of a killed process durable, so that their rows may be pruned.
  private func sync(_ shard: String) throws(FileSystemError) {
    let directory = layout.items + "/" + shard
    if try files.status(directory)?.kind == .directory { try files.syncDirectory(directory) }
    index.history.synced(shard: shard)
  }

  /// Reads a shard and removes files that a crash left half-written.
  private mutating func list(_ shard: String) throws(FileSystemError) -> ShardListing {
    let directory = layout.items + "/" + shard
    let listing = try ShardListing(directory, shard: shard, files: files)
    for part in listing.parts {
      do throws(FileSystemError) {
        try files.unlink(directory + "/" + part)
        report.removedParts += 1
      } catch  where error.isOfOneFile {
        leave(error)
      }
    }
    report.foreign += listing.foreign.count
    return listing
  }
}

extension FileSystemError {
  /// Whether the error concerns only one file or directory.
  ///
  /// A failed `fsync`, a full disk and a lack of descriptors concern all files.
  var isOfOneFile: Bool { kind == .other && call != .sync }
}
