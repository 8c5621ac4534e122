import API
import Capture
import Devices
import Doctor
import Foundation
import Spool

/// The API's requests about presses.
///
/// The session knows the presses of this run best; the ledger knows all presses.
extension RigModel {
  func addPresses(to operations: inout OperationHandlers) {
    operations.on(Operations.presses) { try await presses($0) }
    operations.on(Operations.shoot) { try await shoot($0) }
    operations.on(Operations.pressCounts) { try await pressCounts() }
    operations.on(Operations.lostEdges) { try await lostEdges(limit: $0.limit) }
    operations.on(Operations.press, missing: PressNumber.missing) {
      try await press(number: $0.number)
    }
  }

  /// The time that the ledger may take to answer; after it, the answer does without the ledger.
  private static let timeout = Duration.seconds(2)
  /// The number of this run's presses to compare with the ledger: the number the session remembers.
  private static let remembered = 1000

  func presses(_ filter: PressFilter) async throws(APIError) -> PressList {
    var query = PressQuery(filter)
    query.limit += 1
    let answer = await entries(query)
    let found = (try? answer.get()) ?? []
    var entries = Dictionary(found.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    var records: [Int64: PressRecord] = [:]
    for record in await session.latestRecords(Self.remembered) {
      let number = record.press.number
      var entry = entry(record)
      if var known = entries.removeValue(forKey: number) {
        known.absorb(entry)
        entry = known
      }
      guard query.matches(entry) else { continue }
      entries[number] = entry
      records[number] = record
    }
    let isIncomplete = (try? answer.get()) == nil
    // Without the ledger, a page has the presses that the session knows, and is never the last one.
    if entries.isEmpty { _ = try answer.get() }
    // A press's wall-clock time is reported once the press is in the ledger, where it stays the
    // same.
    let known = Set(found.map(\.number))
    let all = entries.values.sorted { $0.number > $1.number }
    let page = all.prefix(filter.limit)
    let items = await items(page.flatMap(\.items))
    let isMore = all.count > filter.limit || found.count > filter.limit || isIncomplete
    return PressList(
      presses: page.map { entry in
        report(
          known.contains(entry.number) ? entry : entry.withoutWallTime, records[entry.number],
          PressReport.Pictures(of: entry.items, in: items), isComplete: false)
      }, next: isMore ? page.last?.number ?? found.last?.number : nil)
  }

  func press(number: Int64) async throws(APIError) -> PressReport? {
    let record = await session.record(of: number)
    let known: PressEntry?
    do throws(APIError) {
      known = try await ask(within: Self.timeout) { spool throws(SpoolError) in
        try await spool.press(number)
      }
    } catch {
      guard record != nil else { throw error }
      known = nil
    }
    let own = record.map { self.entry($0).withoutWallTime }
    let ids = known?.items ?? []
    let pictures = await pictures(ofPress: number, ids.isEmpty ? own?.items ?? [] : ids)
    guard var entry = known ?? own else { return PressReport(pictures) }
    if let own { entry.absorb(own) }
    return report(entry, record, pictures, isComplete: true)
  }

  func pressCounts() async throws(APIError) -> PressCountsReport {
    let counts = try await ask { spool throws(SpoolError) in try await spool.pressCounts() }
    return PressCountsReport(
      counts: counts.counts.map { count in
        PressCountsReport.Count(
          outcome: PressReport.Outcome(count.outcome), reason: count.reason,
          presses: count.kept + count.pruned, kept: count.kept)
      }, lostEntries: counts.lostEntries, lostEdges: counts.lostEdges, limit: counts.limit)
  }

  func lostEdges(limit: Int) async throws(APIError) -> LostEdgesList {
    let gaps = try await ask { spool throws(SpoolError) in
      try await spool.lostEdges(limit: limit)
    }
    return LostEdgesList(
      lostEdges: gaps.map { edges in
        LostEdgesList.Gap(
          button: edges.button, edges: edges.count, time: ISO8601Time.text(edges.time),
          bootID: edges.time.bootID, monotonicNanoseconds: edges.time.monotonicNanoseconds)
      })
  }

  private func entry(_ record: PressRecord) -> PressEntry {
    PressEntry(
      record, bootID: bootID, reading: WallClock().reading(at: record.press.time))
  }

  /// Returns the report of a press: the ledger's entry, completed by the session's record.
  ///
  /// - Parameter isComplete: whether the report has the receipt and the page's regions.
  private func report(
    _ entry: PressEntry, _ record: PressRecord?, _ pictures: PressReport.Pictures, isComplete: Bool
  ) -> PressReport {
    PressReport(
      entry, photo: record?.photo, pictures: pictures, frame: record?.frame?.id,
      receipt: isComplete ? ReceiptReport(ofAll: pictures.first) : nil, record: record,
      hasRegions: isComplete)
  }

  private func entries(_ query: PressQuery) async -> Result<[PressEntry], APIError> {
    do throws(APIError) {
      return .success(
        try await ask(within: Self.timeout) { spool throws(SpoolError) in
          try await spool.presses(query)
        })
    } catch {
      return .failure(error)
    }
  }

  private func items(_ ids: [ItemID]) async -> [ItemID: ItemRecord] {
    guard !ids.isEmpty else { return [:] }
    let items = try? await ask(within: Self.timeout) { spool throws(SpoolError) in
      try await spool.items(ids)
    }
    return items ?? [:]
  }

  private func pictures(ofPress number: Int64, _ ids: [ItemID]) async -> PressReport.Pictures {
    guard ids.isEmpty else { return PressReport.Pictures(of: ids, in: await self.items(ids)) }
    let items = try? await ask(within: Self.timeout) { spool throws(SpoolError) in
      try await spool.items(pressNumber: number)
    }
    return PressReport.Pictures(first: items?.first, others: Array(items?.dropFirst() ?? []))
  }
}

extension PressRecord {
  /// The picture of a stored press.
  var photo: StoredPhoto? {
    if case .stored(let photo) = outcome { photo } else { nil }
  }

  /// Whether the press was refused.
  var isRefused: Bool {
    if case .refused = outcome { true } else { false }
  }
}

extension PressEntry {
  /// The entry without its wall-clock time.
  var withoutWallTime: PressEntry {
    var entry = self
    entry.time.wallNanoseconds = nil
    entry.time.wallTrust = .unknown
    return entry
  }
}

extension PressQuery {
  /// Makes the query for a filter of the API.
  init(_ filter: PressFilter) {
    self.init(limit: filter.limit)
    before = filter.before
    after = filter.after
    outcome = filter.outcome.map { outcome in
      switch outcome {
      case .pending: .pending
      case .stored: .stored
      case .refused: .refused
      }
    }
    reason = filter.reason
    gesture = filter.gesture
    since = filter.since.map { Int64($0.timeIntervalSince1970 * 1e9) }
    until = filter.until.map { Int64($0.timeIntervalSince1970 * 1e9) }
  }
}

extension PressReport.Outcome {
  init(_ outcome: PressQuery.Outcome) {
    switch outcome {
    case .pending: self = .pending
    case .stored: self = .stored
    case .refused: self = .refused
    }
  }
}
