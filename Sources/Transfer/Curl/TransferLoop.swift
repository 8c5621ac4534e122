import CCurl

/// The loop in which libcurl works on one transfer.
struct TransferLoop {
  /// The reason why a transfer ended without a result of libcurl.
  struct Interruption: Error {
    /// The kind of failure.
    let code: TransferError.Code
    /// A clause about the problem.
    let problem: String
    /// The cause in words.
    var cause: String?
  }

  /// The longest time without a single byte in either direction, once connected.
  let stallTimeout: Duration
  /// The longest time for the whole transfer; `nil` sets no limit.
  let totalTimeout: Duration?
  /// The longest time until a byte moves, for a protocol whose own messages are not counted.
  var firstByteTimeout: Duration?

  /// Lets libcurl work until the transfer ends, a timeout expires or the task is canceled.
  ///
  /// - Returns: libcurl's result.
  /// - Throws: ``Interruption``.
  func run(
    _ easy: UnsafeMutableRawPointer, _ multi: UnsafeMutableRawPointer
  ) throws(Interruption) -> CURLcode {
    try check(curl_multi_add_handle(multi, easy))
    defer { curl_multi_remove_handle(multi, easy) }
    do throws(Interruption) {
      return try work(easy, multi)
    } catch {
      // The removal of the handle may wait for the server, for no longer than this.
      CCurl_setLong(easy, CURLOPT_TIMEOUT_MS, 1)
      throw error
    }
  }

  private func work(
    _ easy: UnsafeMutableRawPointer, _ multi: UnsafeMutableRawPointer
  ) throws(Interruption) -> CURLcode {
    var watch = ProgressWatch(
      start: .now, stallTimeout: stallTimeout, totalTimeout: totalTimeout,
      firstByteTimeout: firstByteTimeout)
    while true {
      guard !Task.isCancelled else {
        throw Interruption(code: .cancelled, problem: "was canceled")
      }
      var running: Int32 = 0
      try check(curl_multi_perform(multi, &running))
      if running == 0 { return Self.result(multi) }
      let wait: Duration
      switch watch.check(at: .now, bytesMoved: Self.bytesMoved(easy)) {
      case .wait(let duration): wait = duration
      case .stalled:
        throw Interruption(
          code: .timedOut, problem: "made no progress", cause: "no byte moved for \(stallTimeout)")
      case .tooLong:
        throw Interruption(
          code: .timedOut, problem: "took too long",
          cause: "it was not complete after \(totalTimeout ?? .zero)")
      }
      // The extra millisecond prevents a busy loop, because the wait was rounded down.
      let milliseconds = Int32(wait.milliseconds) + 1
      try check(curl_multi_poll(multi, nil, 0, milliseconds, nil))
    }
  }

  /// Returns the bytes of heads and bodies moved so far; 0 before sending begins.
  private static func bytesMoved(_ easy: UnsafeMutableRawPointer) -> Int64 {
    var requestHead = 0
    var responseHead = 0
    var sent: curl_off_t = 0
    var received: curl_off_t = 0
    CCurl_getLong(easy, CURLINFO_REQUEST_SIZE, &requestHead)
    CCurl_getLong(easy, CURLINFO_HEADER_SIZE, &responseHead)
    CCurl_getOffset(easy, CURLINFO_SIZE_UPLOAD_T, &sent)
    CCurl_getOffset(easy, CURLINFO_SIZE_DOWNLOAD_T, &received)
    return Int64(requestHead + responseHead) + Int64(sent) + Int64(received)
  }

  private static func result(_ multi: UnsafeMutableRawPointer) -> CURLcode {
    var result = CURLE_OK
    var remaining: Int32 = 0
    while let report = curl_multi_info_read(multi, &remaining) {
      if report.pointee.msg == CURLMSG_DONE { result = report.pointee.data.result }
    }
    return result
  }

  private func check(_ result: CURLMcode) throws(Interruption) {
    guard result == CURLM_OK else {
      throw Interruption(
        code: .failed, problem: "could not be carried out",
        cause: String(cString: curl_multi_strerror(result)))
    }
  }
}
