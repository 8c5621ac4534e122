import API
import Spool

/// Answers what the API asks of the spool.
extension RigModel {
  func spoolStatistics() async throws(APIError) -> SpoolStatisticsReport {
    let (statistics, audit) = try await ask { spool throws(SpoolError) in
      (try await spool.stats(), try await spool.auditEvents(limit: 20))
    }
    return SpoolStatisticsReport(
      statistics, configuration: spoolConfiguration, audit: audit)
  }

  func spoolItems(
    state: String?, limit: Int, before: String?
  ) async throws(APIError) -> SpoolItemList {
    let wanted = state.flatMap { ItemState(rawValue: $0) }
    if let state, wanted == nil, state != SpoolItemList.waiting {
      throw APIError(.invalidRequest, "\"\(state.prefix(40))\" is no state of a picture.")
    }
    // The ID says the place in the order, also of a picture that is forgotten by now.
    let sequence = try before.map { text throws(APIError) in
      guard let id = ItemID(text) else {
        throw APIError(.invalidRequest, "\"\(text.prefix(80))\" is no picture's ID.")
      }
      return id.sequence
    }
    let items = try await ask { spool throws(SpoolError) in
      state == SpoolItemList.waiting
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

  /// Asks the spool something that waits for the disk, which may hang.
  ///
  /// - Parameter limit: how long to wait; a few seconds when it is `nil`.
  func ask<Value: Sendable>(
    within limit: Duration? = nil,
    _ question: @escaping @Sendable (Spool) async throws(SpoolError) -> Value
  ) async throws(APIError) -> Value {
    try await spoolPatience.ask(within: limit, clock) { [spool] () throws(APIError) in
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
  /// How an error of the spool looks in the API.
  init(_ error: SpoolError) {
    switch error.code {
    case .unknownItem: self.init(.notFound, "\(error).")
    case .notWaiting: self.init(.conflict, "\(error).")
    case .invalid: self.init(.invalidRequest, "\(error).")
    default: self.init(.unavailable, "\(error).")
    }
  }
}
