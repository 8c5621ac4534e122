/// The recovery of recordings that an earlier run has left open.
extension Recovery {
  /// Clears what a crash left beside recordings, before rows are compared with files.
  ///
  /// An entry without a file belongs to a recording that is an item or was removed. The sidecar of
  /// a recording that had not moved yet is written again later. The recordings themselves are
  /// stored in the background, because they may be long; see ``Spool/finishAdoption()``.
  mutating func settleRecordings() throws(SpoolError) {
    var names: [String] = []
    _ = try attempt { (recovery) throws(FileSystemError) in
      names = try recovery.itemFiles.recordingNames()
    }
    let present = Set(names)
    for name in names {
      let path = layout.recordings + "/" + name
      if name.hasPrefix("."), name.hasSuffix(".part") {
        try remove(path)
      } else if let id = RecordingEntry.id(ofEntry: name) {
        let fileName = SpoolLayout.imageName(id, RecordingEntry.fileExtension)
        if !present.contains(fileName) { try remove(path) }
      } else if let id = RecordingEntry.id(ofFile: name) {
        guard let row = try index.row(id) else {
          if let press = itemFiles.recordingEntry(id)?.metadata.pressNumber {
            recordedPresses.insert(press)
          }
          try removeLonelySidecar(id)
          continue
        }
        guard row.state != .quarantined else { continue }
        try settle(row, path)
        if present.contains(SpoolLayout.sidecarName(id)) {
          try remove(layout.recordingEntry(id))
        }
      }
    }
  }

  /// Removes the file of a recording that is an item, or puts it in its place.
  ///
  /// A disk that loses a durable rename leaves the only file of a waiting item here.
  private mutating func settle(_ row: ItemRow, _ path: String) throws(SpoolError) {
    var isLost = false
    let isSettled = try attempt { (recovery) throws(FileSystemError) in
      guard row.state.isWaiting,
        try recovery.files.status(recovery.layout.image(row.id, row.fileExtension)) == nil
      else { return }
      isLost = true
      try recovery.itemFiles.makeShard(row.id)
      try recovery.itemFiles.moveRecording(row.id)
    }
    if !isSettled {
      unreadShards.insert(row.id.shard)
    } else if isLost {
      report.placedRecordings += 1
    } else {
      try remove(path)
    }
  }

  private mutating func remove(_ path: String) throws(SpoolError) {
    let isRemoved = try attempt { (recovery) throws(FileSystemError) in
      try recovery.itemFiles.removeIfPresent(path)
    }
    if isRemoved { report.removedParts += 1 }
  }

  /// Removes the sidecar of a recording that is not among the items.
  private mutating func removeLonelySidecar(_ id: ItemID) throws(SpoolError) {
    _ = try attempt { (recovery) throws(FileSystemError) in
      let image = recovery.layout.image(id, RecordingEntry.fileExtension)
      guard try recovery.files.status(image) == nil else { return }
      try recovery.itemFiles.removeIfPresent(recovery.layout.sidecar(id))
    }
  }
}
