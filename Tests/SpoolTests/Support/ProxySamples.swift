@testable import Spool

extension Spool {
  /// Stores a picture as a proxy with a source.
  func storeProxy(_ item: NewItem, source: [UInt8]) async throws -> StoredItem {
    let place = try beginSource(byteCount: Int64(source.count))
    try await write(source, to: place)
    var item = item
    item.source = place
    return try await store(item)
  }

  /// Replaces a proxy by its final picture; returns the content of its source.
  @discardableResult
  func finish(_ id: ItemID, _ bytes: [UInt8]) async throws -> [UInt8] {
    let source = try await beginFinal(of: id)
    try replace(id, by: bytes)
    return source
  }

  /// Replaces a proxy by an average of three frames.
  func replace(_ id: ItemID, by bytes: [UInt8]) throws {
    guard var metadata = try item(id)?.metadata else { throw ItemIndex.unknown(id) }
    metadata.averagedFrames = 3
    try replaceProxy(id, bytes: bytes, metadata: metadata)
  }

  /// Delivers what waits for a target; returns the digests in order.
  func deliverAll(to target: TargetID = .primary) async throws -> [String] {
    var digests: [String] = []
    while let delivery = try nextDelivery(target: target) {
      digests.append(delivery.sha256)
      try complete(delivery.id, receipt: .sample(delivery), target: target)
    }
    return digests
  }
}
