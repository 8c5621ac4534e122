extension SpoolStorage {
  /// Compares rows of quarantined items with the files of the quarantine.
  ///
  /// The check of the shards covers quarantined items whose files lie there.
  ///
  /// - Returns: the last row's number; `nil` when there was none.
  func verifyQuarantined(
    after last: Int64, _ cursor: inout VerificationCursor,
    _ verification: inout SpoolVerification, repair: Bool, hash: Bool
  ) throws(SpoolError) -> Int64? {
    // Other files may have been added since these were listed.
    if cursor.quarantinedNames == nil { cursor.quarantinedNames = try quarantinedNames() }
    let names = cursor.quarantinedNames ?? [:]
    let rows = try index.waiting(after: last, limit: Self.rowSlice, states: [.quarantined])
    guard !rows.isEmpty else { return nil }
    var end: Int64?
    var bytes: Int64 = 0
    for (sequence, row) in rows {
      verification.rows += 1
      end = sequence
      var images = Self.images(of: row.id, in: names)
      if images.isEmpty, row.quarantineReason != .missing {
        images = Self.images(of: row.id, in: try quarantinedNames())
      }
      if images.isEmpty, row.quarantineReason != .missing,
        try itemFiles.perform({ () throws(FileSystemError) in
          try itemFiles.files.status(layout.image(row.id, row.fileExtension))
        }) == nil
      {
        verification.add(
          row.id.description, "is quarantined and its picture is gone", repair: "left alone",
          isRepaired: false)
      }
      guard hash else { continue }
      let paths = images.map { layout.quarantine + "/" + $0 }
      bytes += row.bytes * Int64(paths.count)
      if row.bytes > Self.byteSlice {
        cursor.longQuarantined.append((row, paths))
      } else if let path = try itemFiles.intact(row, among: paths) {
        try noteIntact(row, path, &verification, repair: repair)
      }
      if bytes >= Self.byteSlice { break }
    }
    verification.hashedBytes += bytes
    return end
  }

  /// Notes the intact file of a long quarantined item, which was read between two slices.
  func settleLong(
    _ row: ItemRow, intact: Result<String?, SpoolError>,
    _ verification: inout SpoolVerification, repair: Bool
  ) throws(SpoolError) {
    guard let now = try index.row(row.id), now.state == .quarantined, now.sha256 == row.sha256,
      let path = try intact.get()
    else { return }
    try noteIntact(now, path, &verification, repair: repair)
  }

  private func noteIntact(
    _ row: ItemRow, _ path: String, _ verification: inout SpoolVerification, repair: Bool
  ) throws(SpoolError) {
    // Without a quarantined delivery every target has the picture, which stays where it is.
    guard try index.deliveryStates(of: row.id).contains("quarantined") else { return }
    if repair { try restore(row, from: path) }
    verification.add(
      row.id.description, "is quarantined and intact", repair: "put back in the queue",
      isRepaired: repair)
  }

  /// Compares the files of the quarantine with their rows.
  func verifyQuarantine(
    _ verification: inout SpoolVerification, repair: Bool
  ) throws(SpoolError) {
    let names = try quarantinedNames()
    verification.files += names.values.reduce(0) { $0 + $1.count }
    var recovery = Recovery(itemFiles: itemFiles, index: index, configuration: configuration)
    for (id, names) in names.sorted(by: { $0.key.sequence < $1.key.sequence }) {
      if let row = try index.row(id) {
        guard row.state == .evicted else { continue }
        if repair {
          try itemFiles.perform { () throws(FileSystemError) in
            try itemFiles.removeQuarantined([id])
          }
        }
        verification.add(
          id.description, "was deleted and is still in the quarantine", repair: "removed",
          isRepaired: repair)
      } else if let found = try recovery.describeQuarantined(id, names) {
        if repair { try recovery.insertQuarantined([found]) }
        verification.add(
          id.description, "is in the quarantine and has no row", repair: "given one",
          isRepaired: repair)
      }
    }
  }

  private static func images(of id: ItemID, in names: [ItemID: [String]]) -> [String] {
    (names[id] ?? []).filter { SpoolLayout.quarantinedExtension($0) != nil }
  }

  /// Lists the files of the quarantine, by item, without files that belong to no item.
  func quarantinedNames() throws(SpoolError) -> [ItemID: [String]] {
    let names = try itemFiles.perform { () throws(FileSystemError) in
      try itemFiles.files.list(layout.quarantine)
    }
    var items: [ItemID: [String]] = [:]
    for name in names.sorted() {
      if let id = SpoolLayout.quarantinedID(name) { items[id, default: []].append(name) }
    }
    return items
  }
}
