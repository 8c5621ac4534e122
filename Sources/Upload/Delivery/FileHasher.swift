import Devices
import Digests

/// A reader that compares items' files with the items, one at a time, on its own thread.
///
/// A delivery reads its file here before any of the file's bytes are sent. The file is read again
/// where only this reader can notice that the file was damaged meanwhile.
actor FileHasher {
  private static let bufferByteCount = 256 * 1024

  private let executor = DispatchQueueExecutor(label: "hashing")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Compares an item's file with the item's length and SHA-256, and hashes the file's parts, in
  /// one reading of the file.
  ///
  /// - Parameters:
  ///   - delivery: the item.
  ///   - parts: the parts of the file, in order and without gaps.
  ///   - algorithms: the algorithms that each part is hashed by.
  /// - Returns: the hash of each part by each of the algorithms.
  /// - Throws: ``DeliveryFailure`` with `fileUnreadable`, also when the file is not the item's, or
  ///   `cancelled`.
  func verifiedParts(
    of delivery: PendingDelivery, _ parts: [Range<Int64>], _ algorithms: [Digest.Algorithm]
  ) throws(DeliveryFailure) -> [[Digest.Algorithm: [UInt8]]] {
    let file = try Self.open(delivery)
    let whole = Digest(.sha256)
    var digests: [[Digest.Algorithm: [UInt8]]] = []
    for range in parts {
      let partial = algorithms.map { Digest($0) }
      try Self.read(file, range) { piece in
        whole.update(piece.bytes)
        for digest in partial { digest.update(piece.bytes) }
      }
      var results: [Digest.Algorithm: [UInt8]] = [:]
      for (algorithm, digest) in zip(algorithms, partial) { results[algorithm] = digest.value }
      digests.append(results)
    }
    let found = whole.value.hexadecimal
    guard found == delivery.sha256 else {
      throw Self.changed(delivery, "SHA-256 \(found) instead of \(delivery.sha256)")
    }
    return digests
  }

  /// Compares an item's file with the item's length and SHA-256.
  ///
  /// - Throws: ``DeliveryFailure`` as ``verifiedParts(of:_:_:)``.
  func verify(_ delivery: PendingDelivery) throws(DeliveryFailure) {
    _ = try verifiedParts(of: delivery, [0..<delivery.byteCount], [])
  }

  /// Opens an item's file if it has the item's length.
  private static func open(_ delivery: PendingDelivery) throws(DeliveryFailure) -> OpenFile {
    let file: OpenFile
    do throws(FileFailure) {
      file = try OpenFile.source(delivery.path)
    } catch {
      throw error.sourceFailure
    }
    let length: Int64?
    do throws(FileFailure) {
      length = try file.byteCount()
    } catch {
      throw error.sourceFailure
    }
    guard length == delivery.byteCount else {
      let found = length.map { "\($0) bytes instead of \(delivery.byteCount)" }
      throw changed(delivery, found ?? "it is not a regular file")
    }
    return file
  }

  private static func read(
    _ file: borrowing OpenFile, _ range: Range<Int64>, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(DeliveryFailure) {
    var buffer = [UInt8](repeating: 0, count: bufferByteCount)
    var position = range.lowerBound
    while position < range.upperBound {
      guard !Task.isCancelled else {
        throw DeliveryFailure(
          .cancelled, scope: .target, text: "reading \"\(file.path)\" was canceled")
      }
      let wanted = Int(min(Int64(bufferByteCount), range.upperBound - position))
      let count: Int
      do throws(FileFailure) {
        count = try file.read(into: &buffer, at: position, limit: wanted)
      } catch {
        throw error.sourceFailure
      }
      guard count > 0 else {
        throw DeliveryFailure(
          .fileUnreadable, scope: .item,
          text: "the file \"\(file.path)\" ends at byte \(position) of \(range.upperBound)")
      }
      buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      position += Int64(count)
    }
  }

  private static func changed(_ delivery: PendingDelivery, _ found: String) -> DeliveryFailure {
    DeliveryFailure(
      .fileUnreadable, scope: .item,
      text: "the file \"\(delivery.path)\" no longer holds the item's bytes: \(found)")
  }
}
