import Digests
import Glibc

/// The recovery of sources, and of final pictures that were taking the place of their proxies.
extension Recovery {
  /// Finishes or undoes replacements, before rows are compared with files.
  ///
  /// The sidecar of a final picture stands for both files. If the row has its SHA-256, the
  /// replacement was committed and is finished. Otherwise the proxy stays with its source. A new
  /// index has lost the rows, and the final picture is as good as the proxy.
  ///
  /// A final picture that the medium does not let read or place stays. The row may then describe
  /// the final picture while the image is the proxy, so the shard is not compared.
  mutating func settleFinals(isNewIndex: Bool) throws(SpoolError) {
    var finals: Set<ItemID> = []
    var names: [String] = []
    let isListed = try attempt { (recovery) throws(FileSystemError) in
      names = try recovery.sourceNames()
    }
    if !isListed { unreadShards.formUnion(SpoolLayout.shards) }
    for name in names {
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
      var sidecar: Sidecar?
      let isRead = try attempt { (recovery) throws(FileSystemError) in
        sidecar = try recovery.itemFiles.finalSidecar(id)
      }
      guard isRead else {
        unreadShards.insert(id.shard)
        continue
      }
      let committed = try extensionIfCommitted(id, sidecar, isNewIndex: isNewIndex)
      let isSettled = try attempt { (recovery) throws(FileSystemError) in
        let itemFiles = recovery.itemFiles
        let directories = try itemFiles.openFinal(id)
        defer { itemFiles.close(directories) }
        guard let committed else { return try itemFiles.discardFinal(id, directories) }
        try itemFiles.placeFinal(id, committed, directories)
      }
      if isSettled {
        report.removedParts += 1
      } else if committed != nil {
        unreadShards.insert(id.shard)
      }
    }
  }

  /// Returns the extension of a final picture whose replacement is to be finished; `nil` otherwise.
  private func extensionIfCommitted(
    _ id: ItemID, _ sidecar: Sidecar?, isNewIndex: Bool
  ) throws(SpoolError) -> String? {
    guard let sidecar else { return nil }
    let row = try index.row(id)
    let isReplaced = row.map { $0.isKept && $0.sha256.hexadecimal == sidecar.sha256 }
    return isReplaced ?? isNewIndex ? sidecar.fileExtension : nil
  }

  /// Removes the sources of items that are no proxies, once every item is known.
  mutating func sweepSources() throws(SpoolError) {
    for name in (try? sourceNames()) ?? [] where name.hasSuffix(".source") {
      guard let id = SpoolLayout.quarantinedID(name), try mayAdopt(id),
        try index.row(id)?.proxyState == nil
      else { continue }
      let isRemoved = try attempt { (recovery) throws(FileSystemError) in
        try recovery.itemFiles.removeIfPresent(recovery.layout.source(id))
      }
      if isRemoved { report.removedParts += 1 }
    }
  }

  /// Lists the directory of sources; empty before the first source makes the directory.
  private func sourceNames() throws(FileSystemError) -> [String] {
    do throws(FileSystemError) {
      return try files.list(layout.sources).sorted()
    } catch  where error.number == ENOENT {
      return []
    }
  }
}
