extension SpoolStorage {
  /// The number of rows compared in one slice.
  static let rowSlice = 64
  /// The number of files after which a slice ends.
  private static let fileSlice = 256
  /// The number of hashed bytes after which a slice ends.
  static let byteSlice: Int64 = 8 << 20

  /// Verifies a part of the spool and moves the cursor on.
  func verifySlice(
    _ cursor: inout VerificationCursor, _ verification: inout SpoolVerification, repair: Bool,
    hash: Bool
  ) throws(SpoolError) {
    switch cursor.position {
    case .rows(let last):
      let end = try verifyRows(
        after: last, &cursor, &verification, repair: repair, hash: hash)
      cursor.rowsDone(last: end)
    case .shard(let number):
      let limit = verification.files + Self.fileSlice
      var next = number
      while next < SpoolLayout.shards.count, verification.files < limit {
        try verifyShard(SpoolLayout.shards[next], &verification, repair: repair)
        next += 1
      }
      cursor.shardsDone(before: next)
    case .quarantined(let last):
      let end = try verifyQuarantined(
        after: last, &cursor, &verification, repair: repair, hash: hash)
      cursor.quarantinedDone(last: end)
    case .quarantine:
      try verifyQuarantine(&verification, repair: repair)
      cursor.quarantineDone()
    case .counters:
      guard let isRight = try index.countSlice(repair: repair) else { return }
      if !isRight {
        verification.add(
          layout.database, "has counted wrongly", repair: "counted anew", isRepaired: repair)
      }
      cursor.countersDone()
    case .end: break
    }
  }

  /// Compares rows of the queue with their images and sidecars.
  ///
  /// - Returns: the last row's number; `nil` when there was none.
  private func verifyRows(
    after last: Int64, _ cursor: inout VerificationCursor,
    _ verification: inout SpoolVerification, repair: Bool, hash: Bool
  ) throws(SpoolError) -> Int64? {
    var end: Int64?
    var bytes: Int64 = 0
    for (sequence, row) in try index.waiting(after: last, limit: Self.rowSlice) {
      verification.rows += 1
      end = sequence
      // Until the final picture has its place, the proxy is there and no damage.
      if proxies[row.id]?.isUnplaced == true { continue }
      if hash { bytes += row.bytes }
      let isLong = row.bytes > Self.byteSlice
      if let reason = hash && !isLong ? try itemFiles.damage(row) : try difference(row) {
        try note(reason, of: row, &verification, repair: repair)
      } else {
        try verifySidecar(row, &verification, repair: repair)
        if hash, isLong { cursor.long.append(row) }
      }
      if bytes >= Self.byteSlice { break }
    }
    if hash { verification.hashedBytes += bytes }
    return end
  }

  /// Notes the damage of a long file, which was read between two slices.
  func settleLong(
    _ row: ItemRow, _ damage: Result<QuarantineReason?, SpoolError>,
    _ verification: inout SpoolVerification, repair: Bool
  ) throws(SpoolError) {
    guard let now = try index.row(row.id), now.state.isWaiting, now.sha256 == row.sha256,
      let reason = try damage.get()
    else { return }
    try note(reason, of: now, &verification, repair: repair)
  }

  private func note(
    _ reason: QuarantineReason, of row: ItemRow, _ verification: inout SpoolVerification,
    repair: Bool
  ) throws(SpoolError) {
    try itemFiles.requireRight(row)
    if repair { try takeOut(row, reason) }
    verification.add(
      row.id.description, "is \(reason)", repair: "moved to the quarantine", isRepaired: repair)
  }

  /// Returns the damage of an image as far as its status shows it.
  private func difference(_ row: ItemRow) throws(SpoolError) -> QuarantineReason? {
    let path = layout.image(row.id, row.fileExtension)
    guard
      let status = try itemFiles.perform({ () throws(FileSystemError) in
        try itemFiles.files.status(path)
      }),
      status.kind == .regular
    else { return .missing }
    return status.size == row.bytes ? nil : .damaged
  }

  private func verifySidecar(
    _ row: ItemRow, _ verification: inout SpoolVerification, repair: Bool
  ) throws(SpoolError) {
    let path = layout.sidecar(row.id)
    let bytes = try? itemFiles.files.readFile(path, limit: Sidecar.maximumBytes)
    let sidecar = bytes.flatMap { Sidecar.decode($0, id: row.id) }
    let targets = try index.targets(of: row.id)
    if let sidecar, row.isDescribed(by: sidecar) { return }
    if repair {
      let written = try row.encodedSidecar(targets: targets)
      try itemFiles.perform { () throws(FileSystemError) in
        if bytes != nil {
          try itemFiles.quarantine([SpoolLayout.sidecarName(row.id)], of: row.id)
        }
        try itemFiles.rewriteSidecar(row.id, written)
      }
    }
    verification.add(
      path, bytes == nil ? "is missing" : "does not describe its picture",
      repair: "written anew from the row", isRepaired: repair)
  }

  /// Compares the files of a shard with their rows.
  private func verifyShard(
    _ shard: String, _ verification: inout SpoolVerification, repair: Bool
  ) throws(SpoolError) {
    let directory = layout.items + "/" + shard
    let found = try itemFiles.perform { () throws(FileSystemError) in
      try ShardListing(directory, shard: shard, files: itemFiles.files)
    }
    verification.files += found.names.count
    for name in found.foreign {
      verification.add(
        directory + "/" + name, "is not the spool's", repair: "left alone", isRepaired: false)
    }
    var recovery = Recovery(
      itemFiles: itemFiles, index: index, configuration: configuration)
    for name in found.parts {
      if repair {
        try itemFiles.perform { () throws(FileSystemError) in
          try itemFiles.files.unlink(directory + "/" + name)
        }
      }
      verification.add(
        directory + "/" + name, "was never finished and never acknowledged", repair: "removed",
        isRepaired: repair)
    }
    var orphans: [(row: ItemRow, targets: [TargetID])] = []
    for id in found.items.keys.sorted(by: { $0.sequence < $1.sequence }) {
      let item = try itemFiles.perform { () throws(FileSystemError) in
        try found.item(id, files: itemFiles.files)
      }
      for name in item.foreign {
        verification.add(
          directory + "/" + name, "is not the spool's", repair: "left alone", isRepaired: false)
      }
      if item.isEmpty { continue }
      guard let row = try index.row(id) else {
        guard try recovery.mayAdopt(id) else {
          for name in item.names(id) {
            verification.add(
              directory + "/" + name, "is not the spool's", repair: "left alone",
              isRepaired: false)
          }
          continue
        }
        if repair, let orphan = try recovery.examine(id, item) { orphans.append(orphan) }
        verification.add(
          id.description, item.images.isEmpty ? "is a sidecar without a picture" : "has no row",
          repair: item.images.isEmpty ? "moved to the quarantine" : "adopted, if it is intact",
          isRepaired: repair)
        continue
      }
      // Items of the queue have been compared with their files already.
      guard !row.state.isWaiting else { continue }
      let behind = recovery.leftBehind.count + recovery.leftInPlace
      if repair { try recovery.finish(row, item) }
      verification.add(
        id.description, "is \(row.state.rawValue) and still has files",
        repair: row.state == .quarantined
          ? "put back in the queue if they are intact, moved to the quarantine otherwise"
          : "removed",
        isRepaired: repair && recovery.leftBehind.count + recovery.leftInPlace == behind)
    }
    if repair {
      try recovery.adopt(orphans)
      if !recovery.events.isEmpty {
        try assignUnassigned()
        try findProxies()
      }
      events += recovery.events
    }
    leftBehind += recovery.leftBehind
  }
}
