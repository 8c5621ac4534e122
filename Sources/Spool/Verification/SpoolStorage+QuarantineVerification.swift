extension SpoolStorage {
  /// Compares rows of quarantined items with the files of the quarantine.
  ///
  /// The check of the shards covers quarantined items whose files lie there.
  ///
  /// - Parameter names: the files of the quarantine, to which others may have been added meanwhile.
  /// - Returns: the last row's number; `nil` when there was none.
  func verifyQuarantined(
    after last: Int64, _ names: [ItemID: [String]], _ verification: inout SpoolVerification,
    repair: Bool, hash: Bool
  ) throws(SpoolError) -> Int64? {
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
      var intact: String?
      for name in images where intact == nil {
        bytes += row.bytes
        if try isIntact(layout.quarantine + "/" + name, row) { intact = name }
      }
      // Without a quarantined delivery every target has the picture, which stays where it is.
      if let intact, try index.deliveryStates(of: row.id).contains("quarantined") {
        if repair { try restore(row, from: layout.quarantine + "/" + intact) }
        verification.add(
          row.id.description, "is quarantined and intact", repair: "put back in the queue",
          isRepaired: repair)
      }
      if bytes >= Self.byteSlice { break }
    }
    verification.hashedBytes += bytes
    return end
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
