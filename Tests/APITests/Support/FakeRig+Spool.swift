import API
import Foundation
import TestSupport

extension FakeRig {
  /// Puts pictures with files into the fake spool, the newest first.
  func holds(_ items: SpoolItemReport...) { editSpool { $0.items = items } }

  func spoolStatistics() async throws(APIError) -> SpoolStatisticsReport { SpoolSamples.statistics }

  func spoolItems(_ filter: SpoolItemFilter) async throws(APIError) -> SpoolItemList {
    var items = spool.items.filter { item in
      guard let state = filter.state else { return true }
      guard state == .waiting else { return item.state.rawValue == state.rawValue }
      return ["stored", "delivering", "parked"].contains(item.state.rawValue)
    }
    if let before = filter.before, let index = items.firstIndex(where: { $0.id == before }) {
      items.removeFirst(index + 1)
    }
    let page = Array(items.prefix(filter.limit))
    return SpoolItemList(items: page, next: items.count > filter.limit ? page.last?.id : nil)
  }

  func spoolItem(id: String) async throws(APIError) -> SpoolItemReport? {
    spool.items.first { $0.id == id }
  }

  func spoolThumbnail(id: String) async throws(APIError) -> [UInt8]? { spool.thumbnails[id] }

  func retrySpoolItem(id: String) async throws(APIError) -> SpoolRetryReport {
    guard let item = spool.items.first(where: { $0.id == id }) else {
      throw APIError(.notFound, "The spool has no picture \"\(id)\".")
    }
    guard item.state == "parked" else {
      throw APIError(.conflict, "The picture \"\(id)\" was not set aside.")
    }
    editSpool { $0.retried.append(id) }
    return SpoolRetryReport(retried: 1)
  }

  func retryParkedSpoolItems() async throws(APIError) -> SpoolRetryReport {
    SpoolRetryReport(retried: spool.items.filter { $0.state == "parked" }.count)
  }

  func spoolVerificationProgress() async throws(APIError) -> SpoolVerificationProgress {
    editSpool { $0.progressQuestions += 1 }
    return SpoolVerificationProgress(isRunning: true, rows: 2, hashedBytes: 3000, bytes: 5000)
  }

  func verifySpool(repair: Bool) async throws(APIError) -> SpoolVerificationReport {
    try? await eventually { !spool.verifiesUntilAsked || spool.progressQuestions > 0 }
    return SpoolVerificationReport(
      rows: 3, files: 4, hashedBytes: 5000,
      findings: [
        .init(
          object: "a.jpg", problem: "has no row", repair: "it gets a row and waits",
          isRepaired: repair)
      ])
  }

  func deleteSpoolItem(id: String) async throws(APIError) {
    editSpool { $0.deleted.append(id) }
  }

  func deleteQuarantinedSpoolItems() async throws(APIError) -> QuarantineDeletionReport {
    let quarantined = spool.items.filter { $0.state == "quarantined" }
    editSpool { $0.deleted += quarantined.map(\.id) }
    return QuarantineDeletionReport(deleted: quarantined.count)
  }
}

/// Pictures as a spool would report them.
enum SpoolSamples {
  static func item(
    _ number: Int64, state: String = "stored", path: String = "/nowhere/1.jpg",
    sha256: String = String(repeating: "ab", count: 32), bytes: Int64 = 812_345,
    isProxy: Bool? = nil
  ) -> SpoolItemReport {
    SpoolItemReport(
      id: "000001-000000000\(number)-0123456789abcdef", press: number,
      state: Word(rawValue: state), reason: nil,
      path: path, bytes: bytes, sha256: sha256, remoteName: "rig-7/2026/11/21/\(number).jpg",
      mediaType: "image/jpeg",
      captured: CaptureTimeReport(
        time: "2026-11-21T10:00:00.000Z", trust: "synchronized", bootID: "b",
        monotonicNanoseconds: 7),
      duplicateOf: nil, nearDuplicateOf: nil,
      deliveries: [
        DeliveryStateReport(
          target: "archive", state: state == "parked" ? "parked" : "pending",
          attempts: 8,
          failure: "rejected", detail: "the target did not store it", receipt: nil)
      ], isProxy: isProxy)
  }

  static let statistics = SpoolStatisticsReport(
    directory: "/var/lib/platen/spool",
    states: [.init(state: "stored", items: 3, bytes: 2_400_000)],
    targets: [.init(target: "archive", isConfigured: true, pending: 2, parked: 1)],
    oldestWaiting: item(1).id, oldestWaitingSeconds: 75, freeBytes: 4 << 30,
    minimumFreeBytes: 256 << 20, hasBallast: true,
    audit: [
      AuditReport(
        number: 9, time: "2026-11-21T10:00:00Z", event: "evicted", object: "000001", detail: nil)
    ])
}
