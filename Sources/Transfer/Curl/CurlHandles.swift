import CCurl

/// The handle of a client's connections (`CURLM`), which outlives the client's requests.
///
/// The handle is stored as a number because raw pointers are not `Sendable`. Only the client's
/// actor calls functions on the handle, and it runs one transfer at a time. The exception is
/// ``wake()``, which any thread may call, because `curl_multi_wakeup` allows that. Each caller of
/// ``wake()`` holds a reference, so the handle still exists.
final class CurlHandles: Sendable {
  private let multiAddress: UInt

  /// The result of `curl_global_init`, which runs once and is thread-safe since libcurl 7.84.
  private static let initialized: CURLcode = curl_global_init(Int(CURL_GLOBAL_ALL))

  init() {
    precondition(Self.initialized == CURLE_OK, "libcurl cannot start: \(Self.initialized)")
    multiAddress = UInt(bitPattern: curl_multi_init())
    precondition(multiAddress != 0, "libcurl has no memory for its handles")
  }

  deinit {
    curl_multi_cleanup(UnsafeMutableRawPointer(bitPattern: multiAddress))
  }

  /// Ends the waiting of a running transfer, or of the next one; safe on every thread.
  func wake() {
    curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multiAddress))
  }

  /// Lends the handles to a transfer, with a separate request handle (`CURL`).
  ///
  /// A used request handle does not accept all options. After a failed name lookup, libcurl 7.88
  /// keeps a buffer and refuses another buffer size from then on. Connections and resolved names
  /// belong to the other handle and stay.
  func lend<Value, Failure: Error>(
    _ body: (_ easy: UnsafeMutableRawPointer, _ multi: UnsafeMutableRawPointer)
      throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let easy = curl_easy_init(),
      let multi = UnsafeMutableRawPointer(bitPattern: multiAddress)
    else { preconditionFailure("libcurl has no memory for a handle") }
    defer { curl_easy_cleanup(easy) }
    return try body(easy, multi)
  }
}
