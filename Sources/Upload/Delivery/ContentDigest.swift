import Crypto
import Synchronization

/// The SHA-256 of bytes that arrive in pieces, up to an expected number of them.
final class ContentDigest: Sendable {
  private struct State {
    var hash = SHA256()
    var byteCount: Int64 = 0
  }

  private let expectedByteCount: Int64
  private let state = Mutex(State())

  init(expectedByteCount: Int64) {
    self.expectedByteCount = expectedByteCount
  }

  /// Takes a piece; `false` as soon as there are more bytes than expected.
  func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      state.byteCount += Int64(bytes.count)
      guard state.byteCount <= expectedByteCount else { return false }
      state.hash.update(bufferPointer: bytes)
      return true
    }
  }

  /// Whether the bytes so far are those of an item, all of them and no more.
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
    let digits = Array("0123456789abcdef".utf8)
    let (byteCount, digest) = state.withLock { ($0.byteCount, $0.hash.finalize()) }
    let text = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return (byteCount, String(decoding: text, as: UTF8.self))
  }
}
