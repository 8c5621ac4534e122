extension SpoolStorage {
  /// The number of failed reads after which a picture is taken out of the queue.
  static let readingAttempts = 3

  /// Restores a quarantined picture to the queue if one of its files is intact.
  ///
  /// - Returns: whether the picture is back.
  /// - Throws: ``SpoolError``; `notWaiting` when every target has the picture.
  func restore(_ row: ItemRow) throws(SpoolError) -> Bool {
    guard try index.deliveryStates(of: row.id).contains("quarantined") else {
      throw SpoolError(
        .notWaiting, row.id.description, "has no quarantined delivery", cause: row.reason)
    }
    let names = try itemFiles.perform { () throws(FileSystemError) in
      try itemFiles.files.list(layout.quarantine)
    }
    let quarantined = names.filter { SpoolLayout.quarantinedID($0) == row.id }.sorted()
    let paths =
      [layout.image(row.id, row.fileExtension)] + quarantined.map { layout.quarantine + "/" + $0 }
    guard let path = try itemFiles.intact(row, among: paths) else { return false }
    try restore(row, from: path)
    return true
  }

  func restore(_ row: ItemRow, from path: String) throws(SpoolError) {
    let sidecar = try row.encodedSidecar(targets: try index.targets(of: row.id))
    try itemFiles.perform { () throws(FileSystemError) in
      try itemFiles.restore(row.id, row.fileExtension, from: path, sidecar: sidecar)
    }
    try withBallast { () throws(SpoolError) in try index.restore(row.id) }
    unreadable[row.id] = nil
    events.append(.waiting(row.id))
    try assignUnassigned()
  }

  /// Assigns the current targets to restored or adopted items that were stored without a target.
  func assignUnassigned() throws(SpoolError) {
    _ = try withBallast { () throws(SpoolError) in
      try index.assignUnassigned(to: configuration.targets)
    }
  }
}
