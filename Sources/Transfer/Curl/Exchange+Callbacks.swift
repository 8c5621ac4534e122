import CCurl
import Glibc

// libcurl calls these functions inside `curl_multi_perform`, on the client's thread. The context is
// the exchange, which `run(on:)` keeps alive until the handle no longer uses it.

func exchangeTakesHead(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer
) -> Int {
  let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  exchange.refusal = exchange.collector.addHead(line: line)
  // Any other number than that of the bytes ends the transfer.
  return exchange.refusal == nil ? line.count : line.count + 1
}

func exchangeTakesBody(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer
) -> Int {
  let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  exchange.refusal = exchange.collector.addBody(piece)
  guard exchange.refusal == nil, exchange.holdBack(piece.count) else { return piece.count + 1 }
  return piece.count
}

func exchangeGivesBody(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer
) -> Int {
  let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
  do {
    return try exchange.body.read(into: buffer)
  } catch {
    exchange.readFailure = error
    return Int(CURL_READFUNC_ABORT)
  }
}

func exchangeSeeksBody(
  _ context: UnsafeMutableRawPointer, _ offset: curl_off_t, _ origin: Int32
) -> Int32 {
  let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  guard origin == SEEK_SET, exchange.body.seek(to: Int64(offset)) else { return CURL_SEEKFUNC_FAIL }
  return CURL_SEEKFUNC_OK
}

extension Exchange {
  /// Waits until the request's limit allows for the given number of received bytes.
  ///
  /// The wait blocks the client's own thread, on which nothing else runs meanwhile.
  ///
  /// - Returns: `false` when the task was canceled.
  func holdBack(_ count: Int) -> Bool {
    guard let rate = request.maximumBytesPerSecond else { return true }
    let start = receiveStart ?? .now
    receiveStart = start
    receivedCount += Int64(count)
    let end = start + .milliseconds(receivedCount * 1000 / max(1, rate))
    while true {
      let rest = ContinuousClock.now.duration(to: end)
      guard rest > .zero else { return true }
      guard !Task.isCancelled else {
        isCancelled = true
        return false
      }
      usleep(useconds_t(min(rest.milliseconds + 1, 50) * 1000))
    }
  }
}
