/// The comparison of an item, starting from its row or from its files.
extension Recovery {
  /// Checks an item that waits: its image must exist in full length, and its sidecar must exist.
  mutating func check(_ file: WaitingFile) throws(SpoolError) {
    let names = [
      SpoolLayout.imageName(file.id, file.fileExtension), SpoolLayout.sidecarName(file.id),
    ]
    var statuses: [FileStatus?] = []
    let isSeen = try attempt { (recovery) throws(FileSystemError) in
      for name in names {
        statuses.append(try recovery.files.status(recovery.layout.shard(file.id) + "/" + name))
      }
    }
    guard isSeen else {
      unreadShards.insert(file.id.shard)
      return
    }
    let isRegular = statuses.map { $0?.kind == .regular }
    let isWhole = isRegular[0] && statuses[0]?.size == file.bytes
    if isWhole, isRegular[1] { return }
    guard let row = try index.row(file.id) else { return }
    guard isWhole else {
      try itemFiles.requireRight(row)
      return try quarantine(
        file.id, isRegular[0] ? .damaged : .missing,
        names: zip(names, isRegular).filter(\.1).map(\.0))
    }
    try writeSidecar(row, targets: try index.targets(of: row.id))
    report.restoredSidecars += 1
  }

  /// Clears the files of an item that is done, evicted or quarantined out of its shard.
  mutating func finish(_ row: ItemRow, _ item: ShardListing.Item) throws(SpoolError) {
    switch row.state {
    case .delivered, .purged, .evicted:
      let isRemoved = try attempt { (recovery) throws(FileSystemError) in
        try recovery.itemFiles.remove(row.id, row.fileExtension)
      }
      if let sequence = try index.sequence(of: row.id) {
        // The row must not be pruned before the removal is durable.
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
      case .restored:
        events.append(.waiting(row.id))
        return
      case .leftInPlace:
        leftInPlace += 1
        return
      case .notIntact: break
      }
      _ = try attempt { (recovery) throws(FileSystemError) in
        try recovery.itemFiles.quarantine(item.names(row.id), of: row.id)
      }
    case .stored, .parked: break
    }
  }

  mutating func quarantine(
    _ id: ItemID, _ reason: QuarantineReason, names: [String]
  ) throws(SpoolError) {
    try index.quarantine(id, reason)
    let isMoved = try attempt { (recovery) throws(FileSystemError) in
      try recovery.itemFiles.quarantine(names, of: id)
    }
    if !isMoved { unmoved.insert(id) }
    report.quarantined += 1
    events.append(.quarantined(id, reason))
  }

  func writeSidecar(_ row: ItemRow, targets: [TargetID]) throws(SpoolError) {
    let bytes = try row.encodedSidecar(targets: targets)
    try itemFiles.perform { () throws(FileSystemError) in
      try itemFiles.rewriteSidecar(row.id, bytes)
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
