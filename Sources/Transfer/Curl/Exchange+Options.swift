import CCurl

extension Exchange {
  /// Sets all options of a request.
  func configure(_ easy: UnsafeMutableRawPointer) throws(TransferError) {
    try check(CCurl_setPointer(easy, CURLOPT_ERRORBUFFER, message.buffer))
    try check(CCurl_setLong(easy, CURLOPT_NOSIGNAL, 1))
    try check(CCurl_allowHTTPOnly(easy))
    CCurl_leaveResolverBehind(easy)
    try check(CCurl_setString(easy, CURLOPT_URL, request.url))
    try check(CCurl_setString(easy, CURLOPT_USERAGENT, userAgent))
    try check(CCurl_setLong(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)))
    // An empty name turns off the proxies that the environment may name.
    try check(CCurl_setString(easy, CURLOPT_PROXY, ""))
    try check(CCurl_setLong(easy, CURLOPT_FOLLOWLOCATION, 0))
    try check(
      CCurl_setLong(easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, request.connectTimeout.milliseconds)))
    if let path = request.unixSocketPath {
      try check(CCurl_setString(easy, CURLOPT_UNIX_SOCKET_PATH, path))
    }
    try configureSecurity(easy)
    try configureMessage(easy)
    try configureCallbacks(easy)
  }

  /// Returns the number of bytes moved at once under a limit: those of a quarter of a second.
  ///
  /// The number is at least libcurl's smallest buffer and at most libcurl's default.
  static func burstByteCount(at bytesPerSecond: Int64) -> Int {
    Int(min(max(bytesPerSecond / 4, HTTPRequest.smallestBurstByteCount), 64 << 10))
  }

  private func configureSecurity(_ easy: UnsafeMutableRawPointer) throws(TransferError) {
    try check(
      CCurl_setLong(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)))
    try check(CCurl_setLong(easy, CURLOPT_SSL_VERIFYPEER, 1))
    try check(CCurl_setLong(easy, CURLOPT_SSL_VERIFYHOST, 2))
    let security = request.security
    guard !security.isDemanding || request.url.lowercased().hasPrefix("https://") else {
      throw failure(
        .tls, "could not be secured", cause: "there is no certificate to check without https")
    }
    if let file = security.certificateAuthorityFile {
      try check(CCurl_setString(easy, CURLOPT_CAINFO, file))
      try check(CCurl_setString(easy, CURLOPT_CAPATH, nil))
    }
    if !security.pinnedPublicKeys.isEmpty {
      let pins = security.pinnedPublicKeys.map { "sha256//" + $0 }.joined(separator: ";")
      try check(CCurl_setString(easy, CURLOPT_PINNEDPUBLICKEY, pins))
    }
    if let file = security.clientCertificateFile {
      try check(CCurl_setString(easy, CURLOPT_SSLCERT, file))
      try check(CCurl_setString(easy, CURLOPT_SSLKEY, security.clientKeyFile ?? file))
    }
    if let credentials = request.credentials, let scheme {
      try check(CCurl_useAuthentication(easy, scheme == .digest))
      try check(CCurl_setString(easy, CURLOPT_USERNAME, credentials.user))
      try check(CCurl_setString(easy, CURLOPT_PASSWORD, credentials.password))
    }
  }

  private func configureMessage(_ easy: UnsafeMutableRawPointer) throws(TransferError) {
    // libcurl spells an empty value with a semicolon; "Name:" removes the field.
    var lines = request.headers.map {
      $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"
    }
    if !announcesBody { lines.append("Expect:") }
    for line in lines {
      guard let longer = curl_slist_append(fields, line) else {
        throw failure(of: CURLE_OUT_OF_MEMORY)
      }
      fields = longer
    }
    try check(CCurl_setList(easy, CURLOPT_HTTPHEADER, fields))

    let method = request.method
    let carriesBody = body.byteCount != nil || ["PATCH", "POST", "PUT"].contains(method)
    if carriesBody {
      try check(CCurl_setLong(easy, CURLOPT_UPLOAD, 1))
      try check(CCurl_setOffset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(body.byteCount ?? 0)))
    } else if method == "HEAD" {
      try check(CCurl_setLong(easy, CURLOPT_NOBODY, 1))
    }
    if let rate = request.maximumBytesPerSecond {
      let limit = curl_off_t(max(1, rate))
      try check(CCurl_setOffset(easy, CURLOPT_MAX_SEND_SPEED_LARGE, limit))
      // libcurl sends a buffer and then waits until the limit allows for that.
      let burst = Self.burstByteCount(at: rate)
      try check(CCurl_setLong(easy, CURLOPT_UPLOAD_BUFFERSIZE, burst))
      // Received data is held back in pieces, which are small under a low limit. libcurl's own
      // limit would let through everything that the socket holds.
      try check(CCurl_setLong(easy, CURLOPT_BUFFERSIZE, Int(min(max(rate / 4, 1024), 16 << 10))))
    }
    try check(CCurl_setString(easy, CURLOPT_CUSTOMREQUEST, method))
    if method == "PATCH" || method == "POST", !request.isRepeatable {
      // libcurl resends a request if a kept connection turns out closed. A request that must not
      // come twice uses a new connection, on which libcurl does not resend.
      try check(CCurl_setLong(easy, CURLOPT_FRESH_CONNECT, 1))
    }
  }

  private func configureCallbacks(_ easy: UnsafeMutableRawPointer) throws(TransferError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(CCurl_setDataCallback(easy, CURLOPT_HEADERFUNCTION, exchangeTakesHead))
    try check(CCurl_setPointer(easy, CURLOPT_HEADERDATA, context))
    try check(CCurl_setDataCallback(easy, CURLOPT_WRITEFUNCTION, exchangeTakesBody))
    try check(CCurl_setPointer(easy, CURLOPT_WRITEDATA, context))
    try check(CCurl_setDataCallback(easy, CURLOPT_READFUNCTION, exchangeGivesBody))
    try check(CCurl_setPointer(easy, CURLOPT_READDATA, context))
    try check(CCurl_setSeekCallback(easy, exchangeSeeksBody))
    try check(CCurl_setPointer(easy, CURLOPT_SEEKDATA, context))
  }
}
