import CCurl

// libcurl calls these inside `curl_multi_perform`, on the client's thread; the context is the
// exchange, which `run(on:)` keeps alive until the handle has forgotten it.

func exchangeTakesHead(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer
) -> Int {
  let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  exchange.refusal = exchange.collector.addHead(line: line)
  // Any number but the number of bytes ends the transfer.
  return exchange.refusal == nil ? line.count : line.count + 1
}

func exchangeTakesBody(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer
) -> Int {
  let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  exchange.refusal = exchange.collector.addBody(piece)
  return exchange.refusal == nil ? piece.count : piece.count + 1
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
