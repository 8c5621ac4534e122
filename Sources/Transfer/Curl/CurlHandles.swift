import CCurl

/// The two handles that a client keeps: the request's (`CURL`) and the connections' (`CURLM`).
///
/// They are kept as numbers because raw pointers are not `Sendable`. What is called on them: `easy`
/// and all but one function on `multi` by the client's actor only, which runs one transfer at a
/// time; ``wake()`` from any thread, which is what `curl_multi_wakeup` is made for. Whoever may call
/// that holds a reference, so the handles are still there.
final class CurlHandles: Sendable {
  private let easyAddress: UInt
  private let multiAddress: UInt

  /// Runs `curl_global_init` once; it is thread-safe since 7.84.
  private static let initialised: CURLcode = curl_global_init(Int(CURL_GLOBAL_ALL))

  init() {
    precondition(Self.initialised == CURLE_OK, "libcurl cannot start: \(Self.initialised)")
    easyAddress = UInt(bitPattern: curl_easy_init())
    multiAddress = UInt(bitPattern: curl_multi_init())
    precondition(easyAddress != 0 && multiAddress != 0, "libcurl has no memory for its handles")
  }

  deinit {
    curl_easy_cleanup(UnsafeMutableRawPointer(bitPattern: easyAddress))
    curl_multi_cleanup(UnsafeMutableRawPointer(bitPattern: multiAddress))
  }

  /// Ends the waiting of a running transfer, or of the next one; safe on every thread.
  func wake() {
    curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multiAddress))
  }

  /// Lends the handles to a transfer, the request's handle with all options at their defaults.
  func lend<Value, Failure: Error>(
    _ body: (_ easy: UnsafeMutableRawPointer, _ multi: UnsafeMutableRawPointer)
      throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let easy = UnsafeMutableRawPointer(bitPattern: easyAddress),
      let multi = UnsafeMutableRawPointer(bitPattern: multiAddress)
    else { preconditionFailure("the handles are made in init and freed in deinit") }
    curl_easy_reset(easy)
    return try body(easy, multi)
  }
}
