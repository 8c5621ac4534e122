import Devices
import Digests

/// The proxies, and the final pictures that replace them.
extension SpoolStorage {
  /// A proxy that has a source.
  struct Proxy {
    /// The length of the source.
    var bytes: Int64
    /// The targets that have the proxy and get the final picture too.
    var receivers: Set<TargetID> = []
    /// Whether the final picture is being made, so that the item is not claimed.
    var isBeingMade = false
    /// Whether the final picture is committed and has not got its place yet.
    var isUnplaced = false
  }

  /// Finds the proxies with a source, at the start and after pictures were adopted.
  ///
  /// A receipt of the proxy ends the delivery to a target that gets only the first version now.
  func findProxies() throws(SpoolError) {
    let names = (try? environment.files.list(layout.sources)) ?? []
    for name in names where name.hasSuffix(".source") {
      guard let id = SpoolLayout.quarantinedID(name), proxies[id] == nil,
        let state = try index.row(id)?.proxyState,
        let status = try? environment.files.status(layout.source(id))
      else { continue }
      proxies[id] = Proxy(
        bytes: status.size, receivers: Set(state.receipts.keys.map(TargetID.init(rawValue:))))
      for (name, receipt) in state.receipts {
        let target = TargetID(rawValue: name)
        guard configuration.proxyPolicies[target] == .proxyFirst else { continue }
        do throws(SpoolError) {
          try complete(id, target: target, receipt: receipt)
        } catch  where error.isPersistent {
          throw error
        } catch {
          // The delivery is parked, or there is no room for its receipt now.
          continue
        }
      }
    }
    try findUnplaced(names)
  }

  /// Returns the row of a proxy that can be replaced or kept now; `nil` for any other.
  func spareRow(_ id: ItemID, _ proxy: Proxy) throws(SpoolError) -> ItemRow? {
    guard !proxy.isBeingMade, !proxy.isUnplaced, !isClaimed(id), let row = try index.row(id),
      row.isKept
    else { return nil }
    return row
  }

  /// Returns whether a target gets nothing of an item before the final picture is made.
  func waitsForFinal(_ id: ItemID, _ target: TargetID) -> Bool {
    guard let proxy = proxies[id] else { return false }
    if proxy.isUnplaced { return true }
    return switch configuration.proxyPolicies[target] ?? .finalOnly {
    case .finalOnly: true
    case .proxyFirst: proxy.isBeingMade
    case .both: proxy.isBeingMade || proxy.receivers.contains(target)
    }
  }

  /// Keeps the receipt of a proxy whose final version is delivered too; `false` for other pictures.
  func keepReceipt(
    _ receipt: Receipt, of row: ItemRow, target: TargetID
  ) throws(SpoolError) -> Bool {
    guard proxies[row.id] != nil, configuration.proxyPolicies[target] == .both else { return false }
    var (row, receipt) = (row, receipt)
    // The sidecar of a proxy that is kept has no room for a long result.
    receipt.result = nil
    row.metadata.proxy?.receipts[target.rawValue] = receipt
    _ = try withBallast { [row] () throws(SpoolError) in try index.rewrite(row) }
    proxies[row.id]?.receivers.insert(target)
    return true
  }

  /// Removes the source of an item that is no proxy any more, and a final picture without a place.
  ///
  /// The removal needs no `fsync`: the next start removes the source of a final picture.
  func removeSource(_ id: ItemID) throws(SpoolError) {
    guard let proxy = proxies.removeValue(forKey: id) else { return }
    _ = try hasRemoved { () throws(FileSystemError) in
      try itemFiles.removeIfPresent(layout.source(id))
      guard proxy.isUnplaced else { return }
      let directories = try itemFiles.openFinal(id)
      defer { itemFiles.close(directories) }
      try itemFiles.discardFinal(id, directories)
    }
  }

  /// Returns the oldest proxy of the queue that can be replaced now.
  func nextProxy() throws(SpoolError) -> DeferredProxy? {
    try firstProxy { (row) throws(SpoolError) in row.state.isWaiting }
  }

  /// Returns the oldest proxy in quarantine whose frames can take its place now.
  ///
  /// The frames are the only good copy of the picture. So they make no room for other pictures, and
  /// stay until there is room for the final picture.
  func nextQuarantinedProxy() throws(SpoolError) -> DeferredProxy? {
    try firstProxy { (row) throws(SpoolError) in
      guard row.state == .quarantined else { return false }
      return try shortageNow(bytes: row.bytes) == nil
    }
  }

  private func firstProxy(
    where isWanted: (ItemRow) throws(SpoolError) -> Bool
  ) throws(SpoolError) -> DeferredProxy? {
    for (id, proxy) in proxies.sorted(by: { $0.key.sequence < $1.key.sequence }) {
      guard let row = try spareRow(id, proxy), try isWanted(row) else { continue }
      var metadata = row.metadata
      metadata.proxy?.countAttempt(now: boot)
      return DeferredProxy(
        id: id, metadata: metadata, sourceBytes: proxy.bytes,
        isQuarantined: row.state == .quarantined)
    }
    return nil
  }

  /// Returns the row of a proxy that is kept and not being delivered.
  private func proxyRow(_ id: ItemID) throws(SpoolError) -> ItemRow {
    guard let row = try index.row(id) else { throw ItemIndex.unknown(id) }
    guard let proxy = proxies[id], !proxy.isUnplaced, row.isKept, !isClaimed(id) else {
      throw SpoolError(
        .notWaiting, id.description, "has no place for a final picture", cause: row.state.rawValue)
    }
    return row
  }

  /// Notes durably that an attempt begins, and keeps deliveries from beginning until it ends.
  ///
  /// - Returns: the length of the source.
  func beginFinal(of id: ItemID) throws(SpoolError) -> Int64 {
    var row = try proxyRow(id)
    row.metadata.proxy?.beginAttempt(now: boot)
    _ = try withBallast { [row] () throws(SpoolError) in try index.rewrite(row) }
    proxies[id]?.isBeingMade = true
    return proxies[id]?.bytes ?? 0
  }

  /// Notes durably that an attempt does not count.
  func withdrawAttempt(for id: ItemID) throws(SpoolError) {
    var row = try proxyRow(id)
    row.metadata.proxy?.withdrawAttempt()
    _ = try withBallast { [row] () throws(SpoolError) in try index.rewrite(row) }
  }

  /// Replaces a proxy by its final picture, under the same item.
  ///
  /// Until the commit, nothing of the proxy has changed. Afterward nothing needs room or a
  /// descriptor. A move that the medium refuses is retried by ``placeFinals()`` and the next start.
  func replaceProxy(
    _ id: ItemID, bytes: [UInt8], metadata: ItemMetadata
  ) throws(SpoolError) {
    defer { proxies[id]?.isBeingMade = false }
    var row = try proxyRow(id)
    if let shortage = try shortageNow(bytes: Int64(bytes.count)) { throw refusal(shortage) }
    let reason = row.quarantineReason
    if reason != nil { (row.state, row.reason) = (.stored, nil) }
    row.bytes = Int64(bytes.count)
    row.sha256 = Digest.value(.sha256, of: bytes)
    row.metadata = metadata
    row.metadata.proxy = nil
    row.remoteName = RemoteName.make(
      rigID: metadata.rigID,
      wallNanoseconds: metadata.captured.wallNanoseconds ?? environment.wallNanoseconds(), id: id,
      sha256: row.sha256, fileExtension: row.fileExtension)
    let sidecar = try row.encodedSidecar(targets: try index.targets(of: id))
    let directories = try itemFiles.perform { () throws(FileSystemError) in
      // The directory of a missing proxy may be missing, too.
      try itemFiles.makeShard(id)
      return try itemFiles.openFinal(id)
    }
    defer { itemFiles.close(directories) }
    do throws(SpoolError) {
      try itemFiles.perform { () throws(FileSystemError) in
        try itemFiles.writeFinal(id, image: bytes, sidecar: sidecar, directories)
      }
      try index.rewrite(row, end: .replaced(reason))
    } catch {
      guard !error.isPersistent else { throw error }
      _ = try hasRemoved { () throws(FileSystemError) in
        try itemFiles.discardFinal(id, directories)
      }
      throw error
    }
    if reason != nil {
      events.append(.waiting(id))
      _ = try hasRemoved { () throws(FileSystemError) in try itemFiles.removeQuarantined([id]) }
    }
    try place(id, row.fileExtension, directories)
  }

  /// Makes a proxy the final picture, and removes its source.
  ///
  /// A sidecar that still says that the picture is a proxy is harmless without the source. The
  /// receipts of the proxy count for the picture from the same commit on.
  func keepProxy(_ id: ItemID, _ reason: SingleFrameReason) throws(SpoolError) {
    proxies[id]?.isBeingMade = false
    var row = try proxyRow(id)
    let receipts = row.metadata.proxy?.receipts ?? [:]
    row.metadata.proxy = nil
    row.metadata.singleFrame = reason
    let delivered = try withBallast { [row] () throws(SpoolError) in
      try index.rewrite(row, end: .kept(reason, receipts))
    }
    try removeSource(id)
    events.append(.replaced(id))
    if let delivered {
      events.append(.delivered(id))
      return try purge(id, row.fileExtension, sequence: delivered)
    }
    guard row.state.isWaiting else { return }
    let sidecar = try row.encodedSidecar(targets: try index.targets(of: id))
    _ = try hasRemoved { () throws(FileSystemError) in try itemFiles.rewriteSidecar(id, sidecar) }
  }
}

extension ItemRow {
  /// Whether the item waits or is quarantined, so that its picture is kept.
  var isKept: Bool { state.isWaiting || state == .quarantined }

  /// The state of a proxy that is kept; `nil` for every other item.
  var proxyState: ProxyState? { isKept ? metadata.proxy : nil }
}

extension ItemMetadata {
  /// Whether a better version of the picture follows.
  package var isProxy: Bool { proxy != nil }
}
