import Devices
import Digests

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A reader that hashes files, one at a time, on its own thread.
actor FileHasher {
  private static let bufferByteCount = 256 * 1024

  private let executor = DispatchQueueExecutor(label: "hashing")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Hashes a part of a file.
  ///
  /// - Throws: ``DeliveryFailure`` with `fileUnreadable`, also when the file ends before the range,
  ///   or `cancelled`.
  func digest(
    ofPart range: Range<Int64>, of path: String, _ algorithm: Digest.Algorithm
  ) throws(DeliveryFailure) -> [UInt8] {
    let digest = Digest(algorithm)
    try Self.read(path, range) { digest.update($0.bytes) }
    return digest.value
  }

  /// Hashes an item's file part by part and compares the whole with the item's SHA-256.
  ///
  /// - Returns: the hash of each part by each of the algorithms.
  /// - Throws: ``DeliveryFailure`` with `fileUnreadable`, also when the whole does not have the
  ///   item's SHA-256, or `cancelled`.
  func verifiedParts(
    of delivery: PendingDelivery, _ parts: [Range<Int64>], _ algorithms: [Digest.Algorithm]
  ) throws(DeliveryFailure) -> [[Digest.Algorithm: [UInt8]]] {
    let whole = Digest(.sha256)
    var digests: [[Digest.Algorithm: [UInt8]]] = []
    for range in parts {
      let partial = algorithms.map { Digest($0) }
      try Self.read(delivery.path, range) { piece in
        whole.update(piece.bytes)
        for digest in partial { digest.update(piece.bytes) }
      }
      var results: [Digest.Algorithm: [UInt8]] = [:]
      for (algorithm, digest) in zip(algorithms, partial) { results[algorithm] = digest.value }
      digests.append(results)
    }
    let found = whole.value.hexadecimal
    guard found == delivery.sha256 else {
      throw DeliveryFailure(
        .fileUnreadable, scope: .item,
        text: """
          the file "\(delivery.path)" no longer holds the item's bytes: SHA-256 \(found) instead \
          of \(delivery.sha256)
          """)
    }
    return digests
  }

  /// Makes sure that an item's file holds the item's bytes.
  ///
  /// - Throws: ``DeliveryFailure`` as ``verifiedParts(of:_:_:)``.
  func verify(_ delivery: PendingDelivery) throws(DeliveryFailure) {
    _ = try verifiedParts(of: delivery, [0..<delivery.byteCount], [])
  }

  private static func read(
    _ path: String, _ range: Range<Int64>, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(DeliveryFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferByteCount, alignment: 16)
    defer { buffer.deallocate() }
    var position = range.lowerBound
    while position < range.upperBound {
      guard !Task.isCancelled else {
        throw DeliveryFailure(.cancelled, scope: .target, text: "reading \"\(path)\" was cancelled")
      }
      let wanted = Int(min(Int64(bufferByteCount), range.upperBound - position))
      let count = pread(descriptor, buffer.baseAddress, wanted, off_t(position))
      guard count >= 0 else { throw unreadable(path, String(cString: strerror(errno))) }
      guard count > 0 else {
        throw unreadable(path, "it ends at byte \(position) of \(range.upperBound)")
      }
      take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      position += Int64(count)
    }
  }

  private static func unreadable(_ path: String, _ cause: String) -> DeliveryFailure {
    DeliveryFailure(
      .fileUnreadable, scope: .item, text: "cannot read the file \"\(path)\": \(cause)")
  }
}
