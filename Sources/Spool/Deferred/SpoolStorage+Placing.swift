import Digests

/// Committed final pictures, and the place that the medium may refuse them.
///
/// The row describes the final picture from the commit on, and the proxy is still in its place. So
/// the item is neither delivered nor compared with its row until the final picture is there.
extension SpoolStorage {
  /// Gives a committed final picture its place, and removes its source.
  ///
  /// - Throws: ``SpoolError``: `unreadable` when the medium refuses a move, which
  ///   ``placeFinals()`` and every start retry; `failed`.
  func place(
    _ id: ItemID, _ fileExtension: String, _ directories: ItemFiles.FinalDirectories
  ) throws(SpoolError) {
    do throws(FileSystemError) {
      try itemFiles.placeFinal(id, fileExtension, directories)
    } catch  where error.call == .sync {
      throw SpoolError(writing: error)
    } catch {
      proxies[id]?.isUnplaced = true
      rest?.unreadShards.insert(id.shard)
      throw SpoolError(
        .unreadable, error.path, "waits for its place, and is moved again",
        cause: "it \(error.call.problem): \(error.message)")
    }
    proxies[id]?.isUnplaced = false
    index.history.synced(shard: id.shard)
    unreadable[id] = nil
    try removeSource(id)
    events.append(.replaced(id))
  }

  /// Gives committed final pictures the place that the medium has refused them.
  ///
  /// - Returns: the items that need no other attempt.
  func placeFinals() throws(SpoolError) -> [ItemID] {
    var settled: [ItemID] = []
    let unplaced = proxies.filter(\.value.isUnplaced).keys
    for id in unplaced.sorted(by: { $0.sequence < $1.sequence }) {
      do throws(SpoolError) {
        try placeAgain(id)
        settled.append(id)
      } catch  where !error.isPersistent {
        continue
      }
    }
    return settled
  }

  private func placeAgain(_ id: ItemID) throws(SpoolError) {
    let sidecar: Sidecar?
    let directories: ItemFiles.FinalDirectories
    do throws(FileSystemError) {
      sidecar = try itemFiles.finalSidecar(id)
      directories = try itemFiles.openFinal(id)
    } catch {
      throw SpoolError(reading: error)
    }
    defer { itemFiles.close(directories) }
    guard let row = try index.row(id), row.isKept, row.sha256.hexadecimal == sidecar?.sha256
    else { return try removeSource(id) }
    try place(id, row.fileExtension, directories)
  }

  /// Finds committed final pictures that the start could not read or place.
  func findUnplaced(_ names: [String]) throws(SpoolError) {
    for name in names where name.hasSuffix(".json") && !name.hasPrefix(".") {
      guard let id = SpoolLayout.quarantinedID(name), proxies[id] == nil,
        let row = try index.row(id), row.isKept, row.proxyState == nil
      else { continue }
      let source = try? environment.files.status(layout.source(id))
      proxies[id] = Proxy(bytes: source?.size ?? 0, isUnplaced: true)
    }
  }
}
