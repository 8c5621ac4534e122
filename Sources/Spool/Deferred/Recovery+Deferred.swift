import Digests

/// The recovery of sources, and of final pictures that were taking the place of their proxies.
extension Recovery {
  /// Finishes or undoes replacements, before rows are compared with files.
  ///
  /// The sidecar of a final picture stands for both files. If the row has its SHA-256, the
  /// replacement was committed and is finished. Otherwise the proxy stays with its source. A new
  /// index has lost the rows, and the final picture is as good as the proxy.
  mutating func settleFinals(isNewIndex: Bool) throws(SpoolError) {
    var finals: Set<ItemID> = []
    for name in sourceNames {
      let path = layout.sources + "/" + name
      if name.hasPrefix("."), name.hasSuffix(".part") {
        let isRemoved = try attempt { (recovery) throws(FileSystemError) in
          try recovery.itemFiles.removeIfPresent(path)
        }
        if isRemoved { report.removedParts += 1 }
      } else if name.hasSuffix(".json") || name.hasSuffix(".final"),
        let id = SpoolLayout.quarantinedID(name)
      {
        finals.insert(id)
      }
    }
    for id in finals.sorted(by: { $0.sequence < $1.sequence }) {
      let isPlaced = try isCommitted(id, isNewIndex: isNewIndex)
      let isSettled = try attempt { (recovery) throws(FileSystemError) in
        guard let fileExtension = isPlaced else { return try recovery.itemFiles.discardFinal(id) }
        try recovery.itemFiles.placeFinal(id, fileExtension)
      }
      if isSettled { report.removedParts += 1 }
    }
  }

  /// Returns the extension of a final picture whose replacement is to be finished; `nil` otherwise.
  private func isCommitted(
    _ id: ItemID, isNewIndex: Bool
  ) throws(SpoolError) -> String? {
    guard
      let bytes = try? files.readFile(layout.finalSidecar(id), limit: Sidecar.maximumBytes),
      let sidecar = Sidecar.decode(bytes, id: id)
    else { return nil }
    let row = try index.row(id)
    let isReplaced = row.map { $0.isKept && $0.sha256.hexadecimal == sidecar.sha256 }
    return isReplaced ?? isNewIndex ? sidecar.fileExtension : nil
  }

  /// Removes the sources of items that are no proxies, once every item is known.
  mutating func sweepSources() throws(SpoolError) {
    for name in sourceNames where name.hasSuffix(".source") {
      guard let id = SpoolLayout.quarantinedID(name), try mayAdopt(id),
        try index.row(id)?.proxyState == nil
      else { continue }
      let isRemoved = try attempt { (recovery) throws(FileSystemError) in
        try recovery.itemFiles.removeIfPresent(recovery.layout.source(id))
      }
      if isRemoved { report.removedParts += 1 }
    }
  }

  private var sourceNames: [String] { ((try? files.list(layout.sources)) ?? []).sorted() }
}
