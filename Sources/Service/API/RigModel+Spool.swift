import API
import Imaging
import Spool

/// The API's requests about the spool.
extension RigModel {
  func addSpool(to operations: inout OperationHandlers) {
    operations.on(Operations.spoolStatistics) { try await spoolStatistics() }
    operations.on(Operations.spoolItems) { try await spoolItems($0) }
    operations.on(Operations.deleteSpoolItem) { item in
      try await deleteSpoolItem(id: item.id)
      return DeletionReport(deleted: item.id)
    }
    operations.on(Operations.retrySpoolItem) { try await retrySpoolItem(id: $0.id) }
    operations.on(Operations.deleteQuarantined) { _ in try await deleteQuarantinedSpoolItems() }
    operations.on(Operations.retryParked) { try await retryParkedSpoolItems() }
    operations.on(Operations.spoolVerificationProgress) { try await spoolVerificationProgress() }
    operations.on(Operations.verifySpool) { try await verifySpool(repair: $0.repair) }
  }

  func spoolStatistics() async throws(APIError) -> SpoolStatisticsReport {
    let (statistics, audit) = try await ask { spool throws(SpoolError) in
      (try await spool.stats(), try await spool.auditEvents(limit: 20))
    }
    return SpoolStatisticsReport(
      statistics, configuration: spoolConfiguration, audit: audit)
  }

  func spoolItems(_ filter: SpoolItemFilter) async throws(APIError) -> SpoolItemList {
    let (state, limit) = (filter.state, filter.limit)
    let wanted = state.flatMap { ItemState($0) }
    // The ID contains the place in the order, even for a picture that the spool has forgotten.
    let sequence = try filter.before.map { text throws(APIError) in
      guard let id = ItemID(text) else {
        throw APIError(.invalidRequest, "\"\(text.prefix(80))\" is no picture's ID.")
      }
      return id.sequence
    }
    let items = try await ask { spool throws(SpoolError) in
      state == .waiting
        ? try await spool.waitingItems(limit: limit + 1, before: sequence)
        : try await spool.items(state: wanted, limit: limit + 1, before: sequence)
    }
    let page = items.prefix(limit)
    return SpoolItemList(
      items: page.map { SpoolItemReport($0, isWithResults: false) },
      next: items.count > limit ? page.last?.id.description : nil)
  }

  func spoolItem(id: String) async throws(APIError) -> SpoolItemReport? {
    guard let id = ItemID(id) else { return nil }
    return try await ask { spool throws(SpoolError) in
      try await spool.item(id).map { SpoolItemReport($0) }
    }
  }

  /// Returns the thumbnail in the picture's file, else that of another file of the same exposure.
  func spoolThumbnail(id: String) async throws(APIError) -> [UInt8]? {
    let id = try itemID(id)
    return try await ask { spool async throws(SpoolError) -> [UInt8]? in
      guard let item = try await spool.item(id) else { return nil }
      var candidates = [item]
      if let press = item.metadata.pressNumber {
        candidates += try await spool.items(pressNumber: press).filter {
          $0.id != id && $0.metadata.bracketIndex == item.metadata.bracketIndex
        }
      }
      for candidate in candidates where candidate.state.hasPicture {
        let limit = EXIFThumbnail.headBytes
        guard let head = try await spool.head(of: candidate, byteCount: limit) else { continue }
        if let thumbnail = try? EXIFThumbnail.upright(ofHead: head) { return thumbnail }
        let isThumbnail = candidate.metadata.rendition == Rendition.thumbnail.name
        if isThumbnail, candidate.byteCount <= limit { return head }
      }
      return nil
    }
  }

  func retrySpoolItem(id: String) async throws(APIError) -> SpoolRetryReport {
    let id = try itemID(id)
    return try await ask { spool throws(SpoolError) in
      let parked = try await spool.item(id)?.deliveries.count { $0.state == .parked }
      try await spool.retry(id)
      return SpoolRetryReport(retried: parked ?? 0)
    }
  }

  func retryParkedSpoolItems() async throws(APIError) -> SpoolRetryReport {
    try await ask { spool throws(SpoolError) in
      SpoolRetryReport(retried: try await spool.retryAllParked())
    }
  }

  func verifySpool(repair: Bool) async throws(APIError) -> SpoolVerificationReport {
    do throws(SpoolError) {
      let number = verifications.begin()
      defer { verifications.end() }
      return SpoolVerificationReport(
        try await spool.verify(repair: repair) { [verifications] found in
          verifications.advance(number, rows: found.rows, hashedBytes: found.hashedBytes)
        })
    } catch {
      throw APIError(error)
    }
  }

  func spoolVerificationProgress() async throws(APIError) -> SpoolVerificationProgress {
    let states = try await ask { spool throws(SpoolError) in try await spool.stats().states }
    return verifications.progress(
      of: states.reduce(0) { $0 + ($1.state.hasPicture ? $1.bytes : 0) })
  }

  func deleteSpoolItem(id: String) async throws(APIError) {
    let id = try itemID(id)
    try await ask { spool throws(SpoolError) in try await spool.delete(id, confirming: id) }
  }

  func deleteQuarantinedSpoolItems() async throws(APIError) -> QuarantineDeletionReport {
    do throws(SpoolError) {
      return QuarantineDeletionReport(deleted: try await spool.deleteQuarantined())
    } catch {
      throw APIError(error)
    }
  }

  /// Asks the spool a question that waits for the disk, which may hang.
  ///
  /// - Parameter limit: the time to wait; the default limit when it is `nil`.
  func ask<Value: Sendable>(
    within limit: Duration? = nil,
    _ question: @escaping @Sendable (Spool) async throws(SpoolError) -> Value
  ) async throws(APIError) -> Value {
    try await spoolTimeout.ask(within: limit, clock) { [spool] () throws(APIError) in
      do throws(SpoolError) {
        return try await question(spool)
      } catch {
        throw APIError(error)
      }
    }
  }

  private func itemID(_ text: String) throws(APIError) -> ItemID {
    guard let id = ItemID(text) else {
      throw APIError(.notFound, "\"\(text.prefix(80))\" is no picture's ID.")
    }
    return id
  }
}

extension APIError {
  /// Makes the API's error for an error of the spool.
  init(_ error: SpoolError) {
    switch error.code {
    case .unknownItem: self.init(.notFound, "\(error).")
    case .notWaiting: self.init(.conflict, "\(error).")
    case .invalid: self.init(.invalidRequest, "\(error).")
    default: self.init(.unavailable, "\(error).")
    }
  }
}

extension ItemState {
  /// Makes the spool's state of a filter's; `nil` for the one that stands for several.
  fileprivate init?(_ state: SpoolItemFilter.State) {
    switch state {
    case .stored: self = .stored
    case .delivering: self = .delivering
    case .parked: self = .parked
    case .delivered: self = .delivered
    case .purged: self = .purged
    case .quarantined: self = .quarantined
    case .evicted: self = .evicted
    case .waiting: return nil
    }
  }
}
