import CCurl

/// The handle of a client's connections (`CURLM`), which outlives its requests.
///
/// It is kept as a number because raw pointers are not `Sendable`. All but one function are called
/// on it by the client's actor only, which runs one transfer at a time; ``wake()`` from any thread,
/// which is what `curl_multi_wakeup` is made for. Whoever may call that holds a reference, so the
/// handle is still there.
final class CurlHandles: Sendable {
  private let multiAddress: UInt

  /// Runs `curl_global_init` once; it is thread-safe since 7.84.
  private static let initialised: CURLcode = curl_global_init(Int(CURL_GLOBAL_ALL))

  init() {
    precondition(Self.initialised == CURLE_OK, "libcurl cannot start: \(Self.initialised)")
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

  /// Lends the handles to a transfer, with a request's handle (`CURL`) of its own.
  ///
  /// One that has been used cannot be trusted with all options: after a name that was not found,
  /// libcurl 7.88 keeps a buffer and refuses another size for it from then on. Connections and
  /// resolved names belong to the other handle and stay.
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
