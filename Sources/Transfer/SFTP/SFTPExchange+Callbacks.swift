import CCurl

// libcurl calls these functions on the client's thread. The context is the exchange, which
// `run(on:)` keeps alive until the handle no longer uses it.

func sftpTakesText(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer
) -> Int {
  let exchange = Unmanaged<SFTPExchange>.fromOpaque(context).takeUnretainedValue()
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  // Any other number than that of the bytes ends the transfer.
  guard exchange.text.count + piece.count <= SFTPExchange.maximumTextBytes else {
    return piece.count + 1
  }
  exchange.text.append(contentsOf: piece)
  return piece.count
}

func sftpTakesBody(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer
) -> Int {
  let exchange = Unmanaged<SFTPExchange>.fromOpaque(context).takeUnretainedValue()
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  guard case .read(let reader) = exchange.action, !reader(piece) else { return piece.count }
  exchange.isReaderDone = true
  return piece.count + 1
}

func sftpGivesBody(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer
) -> Int {
  let exchange = Unmanaged<SFTPExchange>.fromOpaque(context).takeUnretainedValue()
  do {
    return try exchange.body.read(
      into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
  } catch {
    exchange.readFailure = error
    return Int(CURL_READFUNC_ABORT)
  }
}
