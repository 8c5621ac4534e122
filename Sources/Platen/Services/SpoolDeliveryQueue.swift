import Spool
import Upload

import struct Spool.DeliveryFailure
import struct Spool.Receipt

/// Shows the spool to the uploader as a queue of deliveries.
struct SpoolDeliveryQueue: DeliveryQueue {
  let spool: Spool
  let target: TargetID

  func next(excluding excluded: Set<String>) async throws -> PendingDelivery? {
    var passedOver: [ItemID] = []
    let result: Result<PendingDelivery?, SpoolError>
    do throws(SpoolError) {
      result = .success(try await firstIntact(excluding: excluded, &passedOver))
    } catch {
      result = .failure(error)
    }
    for id in passedOver { await spool.release(id, target: target) }
    return try result.get()
  }

  private func firstIntact(
    excluding excluded: Set<String>, _ passedOver: inout [ItemID]
  ) async throws(SpoolError) -> PendingDelivery? {
    while let delivery = try await spool.nextDelivery(target: target) {
      let id = delivery.id.description
      if excluded.contains(id) {
        passedOver.append(delivery.id)
        continue
      }
      do throws(SpoolError) {
        guard case .intact = try await spool.verifyForDelivery(delivery.id) else { continue }
      } catch {
        passedOver.append(delivery.id)
        throw error
      }
      return PendingDelivery(
        id: id, path: delivery.path, byteCount: delivery.byteCount, sha256: delivery.sha256,
        remoteName: delivery.remoteName, attempts: delivery.attempts,
        contentType: delivery.metadata.mediaType ?? "application/octet-stream")
    }
    return nil
  }

  func arrivals() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let follower = Task { [spool] in
      let events = await spool.events()
      // What was stored before this moment has told nobody: look once more.
      continuation.yield()
      for await event in events {
        if case .stored = event { continuation.yield() }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in follower.cancel() }
    return stream
  }

  func release(_ id: String) async {
    guard let item = ItemID(id) else { return }
    await spool.release(item, target: target)
  }

  func failed(_ id: String, error: Upload.DeliveryFailure, attempts: Int) async throws {
    try await settle(id) { item throws(SpoolError) in
      try await spool.recordAttempt(
        item,
        failure: DeliveryFailure(
          code: error.code.rawValue, message: error.text, httpStatus: error.status),
        target: target)
    }
  }

  /// The spool of this version parks nothing: the item waits for its next turn.
  func park(_ id: String, error: Upload.DeliveryFailure, attempts: Int) async throws {
    try await failed(id, error: error, attempts: attempts)
  }

  /// Ends a claim; an item that is not in the queue any more needs nothing.
  private func settle(
    _ id: String, _ body: (ItemID) async throws(SpoolError) -> Void
  ) async throws(SpoolError) {
    guard let item = ItemID(id) else { return }
    do throws(SpoolError) {
      try await body(item)
    } catch {
      guard [.unknownItem, .notWaiting].contains(error.code) else { throw error }
      await spool.release(item, target: target)
    }
  }

  /// The spool of this version keeps nothing of an unfinished delivery: it begins anew.
  func keep(_ state: ResumeState?, of id: String) async throws {}

  /// The spool of this version keeps no pause over a restart.
  func keep(_ pause: TargetPause?) async throws {}

  func keptPause() async throws -> TargetPause? { nil }

  func complete(_ id: String, receipt: Upload.Receipt) async throws {
    try await settle(id) { item throws(SpoolError) in
      try await spool.complete(
        item,
        receipt: Receipt(
          url: receipt.url, remoteName: receipt.remoteName, sha256: receipt.sha256,
          httpStatus: receipt.status, isDuplicate: receipt.isDuplicate,
          wallNanoseconds: receipt.wallNanoseconds),
        target: target)
    }
  }
}
