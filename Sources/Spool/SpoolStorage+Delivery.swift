#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension SpoolStorage {
  /// Claims the oldest item that waits for a target.
  func nextDelivery(target: TargetID) throws(SpoolError) -> Delivery? {
    let claimed = claims[target] ?? []
    guard
      let (row, attempts) = try index.nextPending(
        target: target, isClaimed: { claimed.contains($0) })
    else { return nil }
    claims[target, default: []].insert(row.id)
    return Delivery(
      id: row.id, target: target, path: layout.image(row.id, row.fileExtension),
      byteCount: row.bytes, sha256: row.sha256.hexadecimal, remoteName: row.remoteName,
      metadata: row.metadata, attempts: attempts)
  }

  /// Ends a claim.
  func release(_ id: ItemID, target: TargetID) {
    claims[target]?.remove(id)
  }

  /// Whether any target has claimed an item.
  func isClaimed(_ id: ItemID) -> Bool {
    claims.values.contains { $0.contains(id) }
  }

  /// Commits a receipt, and only then removes the files of an item that is done.
  ///
  /// - Returns: what became of the item, and the error that left files behind, if any: the next
  ///   start removes them.
  func complete(
    _ id: ItemID, target: TargetID, receipt: Receipt
  ) throws(SpoolError) -> (ItemIndex.Completion, leftBehind: SystemError?) {
    guard let row = try index.row(id) else { throw ItemIndex.unknown(id) }
    guard receipt.sha256 == row.sha256.hexadecimal else {
      throw SpoolError(
        .invalid, id.description, "is not what the receipt is for",
        cause: "SHA-256 \(receipt.sha256) instead of \(row.sha256.hexadecimal)")
    }
    let completion = try index.complete(id, target: target, receipt: receipt)
    release(id, target: target)
    guard completion == .delivered else { return (completion, nil) }
    counts.stored -= 1
    counts.delivered += 1
    counts.bytesWaiting -= row.bytes
    do throws(SystemError) {
      try itemFiles.removeDelivered(id, row.fileExtension)
    } catch {
      return (completion, error)
    }
    return (completion, nil)
  }

  /// Hashes an item's image and takes the item out of the queue when it is not what was stored.
  func verify(_ id: ItemID) throws(SpoolError) -> (IntegrityResult, leftBehind: SystemError?) {
    guard let row = try index.row(id) else { throw ItemIndex.unknown(id) }
    switch row.state {
    case .stored: break
    case .quarantined: return (.quarantined(row.quarantineReason ?? .damaged), nil)
    case .delivered:
      throw SpoolError(.notWaiting, id.description, "has no file", cause: "it is delivered")
    }
    guard let reason = try damage(row) else { return (.intact, nil) }
    try index.quarantine(id, reason)
    for target in claims.keys { release(id, target: target) }
    counts.stored -= 1
    counts.quarantined += 1
    counts.bytesWaiting -= row.bytes
    let names = [SpoolLayout.imageName(id, row.fileExtension), SpoolLayout.sidecarName(id)]
    do throws(SystemError) {
      try itemFiles.quarantine(names, of: id)
    } catch {
      return (.quarantined(reason), error)
    }
    return (.quarantined(reason), nil)
  }

  private func damage(_ row: ItemRow) throws(SpoolError) -> QuarantineReason? {
    let path = layout.image(row.id, row.fileExtension)
    do throws(SystemError) {
      guard let status = try environment.files.status(path) else { return .missing }
      guard status.kind == .regular else { return .missing }
      let found = try environment.files.hashFile(path)
      return found.bytes == row.bytes && found.sha256 == row.sha256 ? nil : .damaged
    } catch  where error.kind == .noResources {
      throw SpoolError(.shortOfResources, error.path, error.call.problem, cause: error.message)
    } catch  where error.number == ENOENT || error.number == ELOOP {
      return .missing
    } catch {
      return .unreadable
    }
  }

  /// The counters, with what is being delivered told apart.
  var currentCounts: SpoolCounts {
    var counts = counts
    counts.delivering = claims.values.reduce(into: Set<ItemID>()) { $0.formUnion($1) }.count
    counts.stored -= counts.delivering
    return counts
  }

  /// Looks items up.
  func records(_ selection: ItemIndex.Selection) throws(SpoolError) -> [ItemRecord] {
    try index.records(selection).map { row, deliveries in
      let state: ItemState =
        switch row.state {
        case .stored: isClaimed(row.id) ? .delivering : .stored
        case .delivered: .delivered
        case .quarantined: .quarantined
        }
      return ItemRecord(
        id: row.id, state: state, quarantineReason: row.quarantineReason,
        path: layout.image(row.id, row.fileExtension), byteCount: row.bytes,
        sha256: row.sha256.hexadecimal, remoteName: row.remoteName, metadata: row.metadata,
        deliveries: deliveries)
    }
  }
}
