import API
import Spool

/// Answers what the API asks of the spool.
extension RigModel {
  func spoolStatistics() async throws(APIError) -> SpoolStatisticsReport {
    do throws(SpoolError) {
      let statistics = try await spool.stats()
      let audit = try await spool.auditEvents(limit: 20)
      return SpoolStatisticsReport(
        statistics, configuration: spoolConfiguration, audit: audit)
    } catch {
      throw APIError(error)
    }
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
    do throws(SpoolError) {
      let items =
        state == SpoolItemList.waiting
        ? try await spool.waitingItems(limit: limit + 1, before: sequence)
        : try await spool.items(state: wanted, limit: limit + 1, before: sequence)
      let page = items.prefix(limit)
      return SpoolItemList(
        items: page.map { SpoolItemReport($0, isWithResults: false) },
        next: items.count > limit ? page.last?.id.description : nil)
    } catch {
      throw APIError(error)
    }
  }

  func spoolItem(id: String) async throws(APIError) -> SpoolItemReport? {
    guard let id = ItemID(id) else { return nil }
    do throws(SpoolError) {
      return try await spool.item(id).map { SpoolItemReport($0) }
    } catch {
      throw APIError(error)
    }
  }

  func retrySpoolItem(id: String) async throws(APIError) -> SpoolRetryReport {
    let id = try itemID(id)
    do throws(SpoolError) {
      let parked = try await spool.item(id)?.deliveries.count { $0.state == .parked }
      try await spool.retry(id)
      return SpoolRetryReport(retried: parked ?? 0)
    } catch {
      throw APIError(error)
    }
  }

  func retryParkedSpoolItems() async throws(APIError) -> SpoolRetryReport {
    do throws(SpoolError) {
      return SpoolRetryReport(retried: try await spool.retryAllParked())
    } catch {
      throw APIError(error)
    }
  }

  func verifySpool(repair: Bool) async throws(APIError) -> SpoolVerificationReport {
    do throws(SpoolError) {
      return SpoolVerificationReport(try await spool.verify(repair: repair))
    } catch {
      throw APIError(error)
    }
  }

  func deleteSpoolItem(id: String) async throws(APIError) {
    let id = try itemID(id)
    do throws(SpoolError) {
      try await spool.delete(id, confirming: id)
    } catch {
      throw APIError(error)
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
    case .notWaiting, .invalid: self.init(.invalidRequest, "\(error).")
    default: self.init(.unavailable, "\(error).")
    }
  }
}
