import Devices
import Foundation
package import Spool
package import Upload

package import struct Spool.DeliveryFailure
package import struct Spool.Receipt

/// The spool as one target's queue of deliveries for its uploader.
package struct SpoolDeliveryQueue: DeliveryQueue {
  let spool: Spool
  let target: TargetID

  /// Makes the queue of the deliveries to one target.
  package init(spool: Spool, target: TargetID) {
    self.spool = spool
    self.target = target
  }

  /// See ``DeliveryQueue``.
  package func next(excluding excluded: Set<String>) async throws -> PendingDelivery? {
    let excluded = Set(excluded.compactMap { ItemID($0) })
    return try await spool.nextDelivery(target: target, excluding: excluded)
      .map { PendingDelivery($0) }
  }

  /// See ``DeliveryQueue``.
  package func tellArrivals(to listener: @escaping @Sendable () -> Void) {
    spool.eventHub.forward { event in
      // An item that leaves may have been the first of several equal ones, which are free now.
      switch event {
      case .failed, .queue: break
      case .stored, .delivered, .quarantined, .parked, .replaced, .waiting, .evicted: listener()
      }
    }
    // Items that were stored before this moment caused no event, so the uploader looks once more.
    listener()
  }

  /// See ``DeliveryQueue``.
  package func release(_ id: String) async {
    guard let item = ItemID(id) else { return }
    await spool.release(item, target: target)
  }

  /// See ``DeliveryQueue``.
  @discardableResult
  package func failed(
    _ id: String, error: Upload.DeliveryFailure, attempts: Int
  ) async throws -> Bool {
    let stays = try await settle(id) { (item) async throws(SpoolError) -> Bool in
      guard try await isKept(item, after: error) else { return false }
      try await spool.recordAttempt(
        item, failure: DeliveryFailure(error), target: target, isItemFault: error.scope == .item)
      return true
    }
    return stays ?? false
  }

  /// See ``DeliveryQueue``.
  @discardableResult
  package func park(
    _ id: String, error: Upload.DeliveryFailure, attempts: Int
  ) async throws -> Bool {
    let isParked = try await settle(id) { (item) async throws(SpoolError) -> Bool in
      guard try await isKept(item, after: error) else { return false }
      try await spool.park(item, failure: DeliveryFailure(error), target: target)
      return true
    }
    return isParked ?? false
  }

  /// See ``DeliveryQueue``.
  package func keep(_ state: ResumeState?, of id: String) async throws {
    let text = try state.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    try await settle(id) { item throws(SpoolError) in
      try await spool.keepResumeState(text, of: item, target: target)
    }
  }

  /// See ``DeliveryQueue``.
  package func complete(_ id: String, receipt: Upload.Receipt) async throws {
    try await settle(id) { item throws(SpoolError) in
      try await spool.complete(
        item,
        receipt: Receipt(
          url: receipt.url, remoteName: receipt.remoteName, sha256: receipt.sha256,
          httpStatus: receipt.status, isDuplicate: receipt.isDuplicate,
          wallNanoseconds: receipt.wallNanoseconds, result: receipt.result),
        target: target)
    }
  }

  /// Checks the file that a target could not use, and returns whether the item stays in the queue.
  ///
  /// A damaged or missing picture goes to the quarantine, which ends its claims. A picture that the
  /// medium cannot read stays until the third attempt.
  private func isKept(
    _ item: ItemID, after failure: Upload.DeliveryFailure
  ) async throws(SpoolError) -> Bool {
    guard failure.code == .fileUnreadable else { return true }
    do throws(SpoolError) {
      return try await spool.verifyForDelivery(item) == .intact
    } catch {
      guard error.code == .unreadable else { throw error }
      return true
    }
  }

  /// Ends a claim; an item that has left the queue needs no more than its release.
  ///
  /// - Returns: the result of `body`; `nil` when the item had left the queue before.
  @discardableResult
  private func settle<Value>(
    _ id: String, _ body: (ItemID) async throws(SpoolError) -> Value
  ) async throws(SpoolError) -> Value? {
    guard let item = ItemID(id) else { return nil }
    do throws(SpoolError) {
      return try await body(item)
    } catch {
      guard [.unknownItem, .notWaiting].contains(error.code) else { throw error }
      await spool.release(item, target: target)
      return nil
    }
  }

  /// See ``DeliveryQueue``.
  package func keep(_ pause: TargetPause?) async throws {
    let kept = pause.map { pause in
      KeptPause(
        remainingNanoseconds: Int64(pause.remaining / .nanoseconds(1)),
        failure: DeliveryFailure(pause.failure))
    }
    try await spool.keepPause(kept, target: target)
  }

  /// See ``DeliveryQueue``.
  package func keptPause() async throws -> TargetPause? {
    try await spool.keptPause(target: target).map { kept in
      TargetPause(
        remaining: .nanoseconds(kept.remainingNanoseconds),
        failure: Upload.DeliveryFailure(
          Upload.DeliveryFailure.Code(rawValue: kept.failure.code), scope: .target,
          text: kept.failure.message, status: kept.failure.httpStatus))
    }
  }
}

extension DeliveryFailure {
  init(_ failure: Upload.DeliveryFailure) {
    self.init(code: failure.code.rawValue, message: failure.text, httpStatus: failure.status)
  }
}

extension PendingDelivery {
  init(_ delivery: Delivery) {
    self.init(
      id: delivery.id.description, path: delivery.path, byteCount: delivery.byteCount,
      sha256: delivery.sha256, remoteName: delivery.remoteName, attempts: delivery.attempts,
      itemFailures: delivery.itemFailures,
      contentType: delivery.metadata.mediaType ?? "application/octet-stream",
      metadata: UploadedMetadata.make(delivery),
      resumeState: delivery.resumeState.flatMap {
        try? JSONDecoder().decode(ResumeState.self, from: Data($0.utf8))
      })
  }
}
