/// Puts files and rows in agreement at the start.
///
/// It can be cut off at any step and started again, and a second run finds nothing to do. It never
/// removes a picture that is not delivered: what does not fit is adopted or moved to the
/// quarantine. Names that the spool does not make, symbolic links, directories and devices are
/// left alone.
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
  /// The largest boot number among the pictures without a row.
  var highestBoot: Int64 = 0
  var report = RecoveryReport()

  init(itemFiles: ItemFiles, index: ItemIndex, configuration: SpoolConfiguration) {
    self.itemFiles = itemFiles
    self.layout = itemFiles.layout
    self.files = itemFiles.files
    self.index = index
    self.configuration = configuration
  }

  /// One item as its shard's directory shows it.
  struct Found {
    /// Extensions and lengths of the images.
    var images: [(fileExtension: String, status: FileStatus)] = []
    var hasSidecar = false

    func names(_ id: ItemID) -> [String] {
      images.map { SpoolLayout.imageName(id, $0.fileExtension) }
        + (hasSidecar ? [SpoolLayout.sidecarName(id)] : [])
    }
  }

  /// Goes through all shards and then through the rows whose files were not met.
  mutating func run() throws(SpoolError) -> RecoveryReport {
    var missing = try index.storedRows()
    for shard in SpoolLayout.shards {
      let found = try inShard { () throws(SystemError) in try list(shard) }
      var orphans: [(ItemRow, [TargetID])] = []
      for (id, item) in found.sorted(by: { $0.key.sequence < $1.key.sequence }) {
        if let row = missing.removeValue(forKey: id) {
          try check(row, item)
        } else if let row = try index.row(id) {
          try finish(row, item)
        } else if let orphan = try examine(id, item) {
          orphans.append(orphan)
          highestBoot = max(highestBoot, id.boot)
        }
      }
      try adopt(orphans)
    }
    for row in missing.values.sorted(by: { $0.id.sequence < $1.id.sequence }) {
      try quarantine(row.id, .missing, names: [])
    }
    return report
  }

  /// Reads a shard and removes what a crash left half-written.
  private mutating func list(_ shard: String) throws(SystemError) -> [ItemID: Found] {
    let directory = layout.items + "/" + shard
    guard try files.status(directory)?.kind == .directory else { return [:] }
    var found: [ItemID: Found] = [:]
    for text in try files.list(directory) {
      let name = SpoolLayout.name(text, in: shard)
      guard name != .foreign, let status = try files.status(directory + "/" + text),
        status.kind == .regular
      else {
        report.foreign += 1
        continue
      }
      switch name {
      case .part:
        try files.unlink(directory + "/" + text)
        report.removedParts += 1
      case .image(let id, let fileExtension):
        found[id, default: Found()].images.append((fileExtension, status))
      case .sidecar(let id):
        found[id, default: Found()].hasSidecar = true
      case .foreign: break
      }
    }
    return found
  }

  /// An item that waits: its image must be there in full length, and so must its sidecar.
  private mutating func check(_ row: ItemRow, _ item: Found) throws(SpoolError) {
    guard let image = item.images.first(where: { $0.fileExtension == row.fileExtension }) else {
      return try quarantine(row.id, .missing, names: item.names(row.id))
    }
    guard image.status.size == row.bytes else {
      return try quarantine(row.id, .damaged, names: item.names(row.id))
    }
    if !item.hasSidecar {
      try writeSidecar(row, targets: try index.targets(of: row.id))
      report.restoredSidecars += 1
    }
  }

  /// An item that is delivered or quarantined: its files do not belong here any more.
  private mutating func finish(_ row: ItemRow, _ item: Found) throws(SpoolError) {
    switch row.state {
    case .delivered:
      try inShard { () throws(SystemError) in
        try itemFiles.removeDelivered(row.id, row.fileExtension)
      }
      report.removedDelivered += 1
    case .quarantined:
      try inShard { () throws(SystemError) in
        try itemFiles.quarantine(item.names(row.id), of: row.id)
      }
    case .stored:
      throw SpoolError(
        .indexDamaged, layout.database, "contradicts itself",
        cause: "\(row.id) waits and is not among those that wait")
    }
  }

  mutating func quarantine(
    _ id: ItemID, _ reason: QuarantineReason, names: [String]
  ) throws(SpoolError) {
    try index.quarantine(id, reason)
    try inShard { () throws(SystemError) in try itemFiles.quarantine(names, of: id) }
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

extension ItemRow {
  func encodedSidecar(targets: [TargetID]) throws(SpoolError) -> [UInt8] {
    do {
      return try sidecar(targets: targets).encoded()
    } catch {
      throw SpoolError(.invalid, id.description, "has metadata that are no JSON", cause: "\(error)")
    }
  }
}
