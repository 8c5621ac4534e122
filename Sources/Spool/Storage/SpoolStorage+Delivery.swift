import Digests

extension SpoolStorage {
  /// The longest resume state, in bytes of UTF-8.
  static let resumeStateLimit = 8 << 10

  /// Claims the oldest item that waits for a target; finishes the duplicates on the way.
  func nextDelivery(
    target: TargetID, excluding excluded: Set<ItemID>
  ) throws(SpoolError) -> Delivery? {
    guard configuration.targets.contains(target) else { return nil }
    var passedOver = excluded
    while true {
      let claimed = claims[target] ?? [:]
      let (next, finished) = try index.nextPending(target: target) {
        claimed[$0] != nil || passedOver.contains($0) || waitsForFinal($0, target)
      }
      do throws(SpoolError) {
        try finish(finished, target: target)
      } catch  where error.code == .full {
        // There is no room for receipts now. Duplicates wait, and other items can still be sent.
        passedOver.formUnion(finished.map(\.id))
      }
      if let next { return claim(next, target) }
      if finished.isEmpty { return nil }
    }
  }

  private func claim(_ next: ItemIndex.Pending, _ target: TargetID) -> Delivery {
    let row = next.row
    claims[target, default: [:]][row.id] = row.bytes
    return Delivery(
      id: row.id, target: target, path: layout.image(row.id, row.fileExtension),
      byteCount: row.bytes, sha256: row.sha256.hexadecimal, remoteName: row.remoteName,
      metadata: row.metadata, captured: next.captured, attempts: next.attempts,
      itemFailures: next.itemFailures, resumeState: next.resumeState)
  }

  /// Commits the receipts of duplicates, and only then removes their files.
  private func finish(
    _ finished: [ItemIndex.Finished], target: TargetID
  ) throws(SpoolError) {
    guard !finished.isEmpty else { return }
    let delivered = try withBallast { () throws(SpoolError) in
      try index.complete(duplicates: finished, target: target)
    }
    for (sequence, id) in delivered {
      events.append(.delivered(id))
      guard let row = try index.row(id) else { continue }
      try purge(id, row.fileExtension, sequence: sequence)
    }
  }

  /// Ends a claim.
  func release(_ id: ItemID, target: TargetID) {
    claims[target]?[id] = nil
  }

  /// Whether any target has claimed an item.
  func isClaimed(_ id: ItemID) -> Bool {
    claims.values.contains { $0[id] != nil }
  }

  /// Commits a receipt, and only then removes the files of a delivered item.
  func complete(_ id: ItemID, target: TargetID, receipt: Receipt) throws(SpoolError) {
    guard let row = try index.row(id) else { throw ItemIndex.unknown(id) }
    guard receipt.sha256 == row.sha256.hexadecimal else {
      throw SpoolError(
        .invalid, id.description, "is not what the receipt is for",
        cause: "SHA-256 \(receipt.sha256) instead of \(row.sha256.hexadecimal)")
    }
    if try keepReceipt(receipt, of: row, target: target) { return release(id, target: target) }
    let completion = try withBallast { () throws(SpoolError) in
      try index.complete(id, target: target, receipt: receipt)
    }
    release(id, target: target)
    switch completion {
    case .alreadyDone, .waiting: return
    case .delivered(let sequence):
      events.append(.delivered(id))
      try purge(id, row.fileExtension, sequence: sequence)
    }
  }

  /// Records a failed attempt, and ends the claim in any case.
  func recordAttempt(
    _ id: ItemID, target: TargetID, failure: DeliveryFailure, isItemFault: Bool
  ) throws(SpoolError) {
    release(id, target: target)
    try withBallast { () throws(SpoolError) in
      try index.recordAttempt(id, target: target, failure: failure, isItemFault: isItemFault)
    }
  }

  /// Keeps the state from which the uploader resumes after a restart.
  func keepResumeState(
    _ text: String?, of id: ItemID, target: TargetID
  ) throws(SpoolError) {
    guard text?.utf8.count ?? 0 <= Self.resumeStateLimit else {
      throw SpoolError(
        .invalid, id.description, "has too long a resume state",
        cause: "\(text?.utf8.count ?? 0) bytes, \(Self.resumeStateLimit) can be kept")
    }
    try withBallast { () throws(SpoolError) in
      try index.keepResumeState(text, of: id, target: target)
    }
  }

  /// Returns the row of an item whose image is kept, to compare both.
  func rowToVerify(_ id: ItemID) throws(SpoolError) -> ItemRow {
    guard let row = try index.row(id) else { throw ItemIndex.unknown(id) }
    guard row.isKept else {
      throw SpoolError(
        .notWaiting, id.description, "has no file", cause: "it is \(row.state.rawValue)")
    }
    return row
  }

  /// Takes an item whose image was found damaged out of the queue.
  ///
  /// - Returns: `nil` when the row has changed since, so that the image has to be read again.
  func settle(
    _ row: ItemRow, _ damage: Result<QuarantineReason?, SpoolError>
  ) throws(SpoolError) -> IntegrityResult? {
    let now = try rowToVerify(row.id)
    if let reason = now.quarantineReason { return .quarantined(reason) }
    guard now.sha256 == row.sha256 else { return nil }
    let id = row.id
    guard let reason = try damage.get() else {
      unreadable[id] = nil
      return .intact
    }
    if reason == .unreadable {
      // The fault may pass, so the next attempts read the medium again.
      unreadable[id, default: 0] += 1
      guard unreadable[id, default: 0] >= Self.readingAttempts else {
        throw SpoolError(.unreadable, id.description, "cannot be read now, and is tried again")
      }
    }
    try itemFiles.requireRight(now)
    try takeOut(now, reason)
    return .quarantined(reason)
  }

  /// Takes an item out of the queue and moves its files to the quarantine.
  func takeOut(_ row: ItemRow, _ reason: QuarantineReason) throws(SpoolError) {
    try withBallast { () throws(SpoolError) in try index.quarantine(row.id, reason) }
    for target in claims.keys { release(row.id, target: target) }
    events.append(.quarantined(row.id, reason))
    let names = [
      SpoolLayout.imageName(row.id, row.fileExtension), SpoolLayout.sidecarName(row.id),
    ]
    unreadable[row.id] = nil
    do throws(FileSystemError) {
      try itemFiles.quarantine(names, of: row.id)
    } catch  where error.call == .sync {
      throw SpoolError(writing: error)
    } catch {
      leftBehind.append(error)
    }
  }
}
