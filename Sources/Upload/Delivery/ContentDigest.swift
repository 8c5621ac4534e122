import Digests
import Synchronization

/// The SHA-256 of bytes that arrive in pieces, up to an expected number of them.
final class ContentDigest: Sendable {
  private struct State {
    let digest = Digest(.sha256)
    var byteCount: Int64 = 0
  }

  private let expectedByteCount: Int64
  private let state = Mutex(State())

  init(expectedByteCount: Int64) {
    self.expectedByteCount = expectedByteCount
  }

  /// Adds a piece; returns `false` as soon as there are more bytes than expected.
  func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      state.byteCount += Int64(bytes.count)
      guard state.byteCount <= expectedByteCount else { return false }
      state.digest.update(bytes.bytes)
      return true
    }
  }

  /// Returns whether the bytes so far are exactly those of an item.
  func matches(_ delivery: PendingDelivery) -> Bool {
    let (byteCount, hexadecimal) = result
    return byteCount == delivery.byteCount && hexadecimal == delivery.sha256
  }

  /// The bytes so far, in words.
  var summary: String {
    let (byteCount, hexadecimal) = result
    return byteCount > expectedByteCount
      ? "more than \(expectedByteCount) bytes" : "\(byteCount) bytes, SHA-256 \(hexadecimal)"
  }

  private var result: (byteCount: Int64, hexadecimal: String) {
    state.withLock { ($0.byteCount, $0.digest.value.hexadecimal) }
  }
}
