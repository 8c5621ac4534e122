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
        let row = try index.row(id)
        if row == nil {
          if let press = itemFiles.recordingEntry(id)?.metadata.pressNumber {
            recordedPresses.insert(press)
          }
          try removeLonelySidecar(id)
        } else if row?.state != .quarantined {
          try remove(path)
        }
      }
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
