import Devices

/// The recovery of pictures in the quarantine, and of pictures that have come back from it.
extension Recovery {
  /// The outcome for a quarantined picture whose files are in their place again.
  enum Restoration {
    /// The picture waits again.
    case restored
    /// The picture cannot be checked or restored now; the next start retries.
    case leftInPlace
    /// No file of the picture is intact.
    case notIntact
  }

  /// Restores a quarantined picture to the queue if its file is in its place again and intact.
  ///
  /// A medium or a directory that was away for a while has not damaged its pictures. A picture that
  /// was missing or unreadable was never found damaged, so its length suffices. Like every picture,
  /// it is hashed before its delivery. The other pictures are hashed up to ``hashedBytesLimit`` in
  /// all. A full disk stops no start: the picture stays where it is.
  ///
  /// - Throws: ``SpoolError``; `indexDamaged`, before any move, when none of the picture's
  ///   deliveries is quarantined and not all are done.
  mutating func restore(
    _ row: ItemRow, _ item: ShardListing.Item
  ) throws(SpoolError) -> Restoration {
    guard let image = item.images.first(where: { $0.fileExtension == row.fileExtension }),
      image.status.size == row.bytes
    else { return .notIntact }
    let deliveries = try index.deliveryStates(of: row.id)
    guard deliveries.contains("quarantined") else {
      // A picture that every target has stays in the quarantine.
      if deliveries == ["done"] { return .notIntact }
      throw SpoolError(
        .indexDamaged, layout.database, "contradicts itself",
        cause: "\(row.id) is quarantined and none of its deliveries is")
    }
    let isHashed = row.quarantineReason != .missing && row.quarantineReason != .unreadable
    if isHashed {
      guard hashedBytes + row.bytes <= Self.hashedBytesLimit else { return .leftInPlace }
      hashedBytes += row.bytes
      sliceBytes += row.bytes
    }
    let path = layout.image(row.id, row.fileExtension)
    let isDescribed = item.hasSidecar && (readSidecar(row.id).map(row.isDescribed) ?? false)
    let sidecar =
      isDescribed ? nil : try row.encodedSidecar(targets: try index.targets(of: row.id))
    var isIntact = true
    do throws(SpoolError) {
      let isInPlace = try attempt { (recovery) throws(FileSystemError) in
        if isHashed {
          isIntact = try recovery.files.hashFile(path, expecting: row.bytes).sha256 == row.sha256
        }
        guard isIntact else { return }
        try recovery.itemFiles.restore(row.id, row.fileExtension, from: path, sidecar: sidecar)
      }
      guard isInPlace else { return .leftInPlace }
      guard isIntact else { return .notIntact }
      try index.restore(row.id)
    } catch  where error.code == .full {
      return .leftInPlace
    }
    report.restored += 1
    return .restored
  }

  /// Reads the names in the quarantine, by item; gives none when it cannot be read now.
  mutating func readQuarantine() throws(SpoolError) -> [ItemID: [String]] {
    var names: [String] = []
    let isRead = try attempt { (recovery) throws(FileSystemError) in
      names = try recovery.files.list(recovery.layout.quarantine)
    }
    isQuarantineUnread = !isRead
    var items: [ItemID: [String]] = [:]
    for name in names {
      if let id = SpoolLayout.quarantinedID(name) { items[id, default: []].append(name) }
    }
    return items
  }

  /// Removes pictures that were deleted just before a crash, and gives pictures without a row one.
  mutating func settleQuarantined(_ items: [(id: ItemID, names: [String])]) throws(SpoolError) {
    var found: [(row: ItemRow, targets: [TargetID])] = []
    for (id, names) in items {
      if let row = try index.row(id) {
        if row.state == .evicted { try removeDeleted(id) }
      } else if let described = try describeQuarantined(id, names) {
        found.append(described)
      }
    }
    if !found.isEmpty { try insertQuarantined(found[...]) }
  }

  private mutating func removeDeleted(_ id: ItemID) throws(SpoolError) {
    let isRemoved = try attempt { (recovery) throws(FileSystemError) in
      try recovery.itemFiles.removeQuarantined([id])
    }
    if isRemoved {
      report.removedEvicted += 1
    } else if let sequence = try index.sequence(of: id) {
      index.history.stuck(sequence)
    }
  }

  /// Makes the row of a quarantined picture that a lost index has forgotten.
  ///
  /// - Returns: the row and its targets; `nil` for a sidecar alone, which needs no row, and for
  ///   numbers that are not the spool's.
  func describeQuarantined(
    _ id: ItemID, _ names: [String]
  ) throws(SpoolError) -> (row: ItemRow, targets: [TargetID])? {
    guard try mayAdopt(id) else { return nil }
    let images = names.sorted().filter { SpoolLayout.quarantinedExtension($0) != nil }
    guard let image = images.first else { return nil }
    let path = layout.quarantine + "/" + image
    guard let status = try? files.status(path), status.kind == .regular else { return nil }
    var found: (row: ItemRow, targets: [TargetID])?
    for name in names.sorted() where found == nil && name.hasSuffix(".json") {
      let path = layout.quarantine + "/" + name
      let bytes = try? files.readFile(path, limit: Sidecar.maximumBytes)
      found = bytes.flatMap { Sidecar.decode($0, id: id) }.map { (ItemRow($0), $0.targets) }
    }
    var (row, targets) =
      found ?? (undescribed(id, image, status), configuration.targets)
    row.state = .quarantined
    row.reason = QuarantineReason.damaged.rawValue
    return (row, targets)
  }

  /// Makes the row of a picture without a sidecar; without a SHA-256 it never counts as intact.
  private func undescribed(_ id: ItemID, _ name: String, _ status: FileStatus) -> ItemRow {
    let fileExtension = SpoolLayout.quarantinedExtension(name) ?? "jpg"
    let captured = CaptureTime(
      bootID: nil, monotonicNanoseconds: nil, wallNanoseconds: status.modifiedNanoseconds,
      wallTrust: .unknown)
    return ItemRow(
      id: id, fileExtension: fileExtension, bytes: status.size, sha256: [],
      remoteName: RemoteName.make(
        rigID: configuration.rigID, wallNanoseconds: status.modifiedNanoseconds, id: id,
        sha256: [], fileExtension: fileExtension),
      metadata: ItemMetadata(rigID: configuration.rigID, pressNumber: nil, captured: captured))
  }

  /// Inserts rows of pictures in the quarantine, in one commit.
  mutating func insertQuarantined(
    _ found: ArraySlice<(row: ItemRow, targets: [TargetID])>
  ) throws(SpoolError) {
    try index.commit(.adopt(found.count)) { database in
      for (row, targets) in found {
        try row.insert(database, targets: targets)
        try index.audit(
          .quarantined, item: row.id, detail: "found in the quarantine without a row", database)
      }
    }
    report.foundQuarantined += found.count
  }
}
