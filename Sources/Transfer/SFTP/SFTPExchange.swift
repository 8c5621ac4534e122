import CCurl

/// A request over SFTP during the transfer; used on the client's thread only.
final class SFTPExchange {
  /// The work of a request.
  enum Action {
    /// Writes a local file to the URL.
    case upload(path: String)
    /// Reads the file at the URL.
    case read(SFTPClient.BodyReader)
    /// Asks for the size of the file at the URL.
    case size
    /// Carries out a command; the URL must end in a slash.
    case command(SFTPCommand)

    /// The action's name, for errors.
    var name: String {
      switch self {
      case .upload: "upload"
      case .read: "read"
      case .size: "stat"
      case .command(let command): command.name
      }
    }
  }

  /// The answer to a request.
  struct Answer: Sendable {
    /// The size of the file in bytes; -1 for an empty file and for a command.
    var byteCount: Int64
    /// The text that a command answered.
    var text: String
  }

  /// The most bytes that an answer to a command may have.
  static let maximumTextBytes = 4096

  let request: SFTPRequest
  let action: Action
  /// The file to upload.
  var body: BodySequence
  /// The reason why the file cannot be read to its end.
  var readFailure: ReadFailure?
  /// Whether the reader wants no more bytes.
  var isReaderDone = false
  /// The bytes that a command answered.
  var text: [UInt8] = []
  private var commands: UnsafeMutablePointer<curl_slist>?
  private let message = ErrorText()

  /// Opens the file to upload.
  ///
  /// - Throws: ``TransferError`` with `fileUnreadable` or `shortOfResources`.
  init(_ request: SFTPRequest, _ action: Action) throws(TransferError) {
    var content = HTTPBody.none
    if case .upload(let path) = action { content = .file(path: path) }
    do {
      body = try BodySequence(content)
    } catch {
      throw TransferError(
        error.code, method: action.name, url: request.url,
        problem: "cannot send the file \"\(error.path ?? "")\"", cause: error.cause)
    }
    self.request = request
    self.action = action
  }

  deinit {
    curl_slist_free_all(commands)
  }

  /// Runs the exchange to its end.
  ///
  /// - Throws: ``TransferError``.
  func run(on handles: CurlHandles) throws(TransferError) -> Answer {
    // libcurl has pointers to this object and to its message until the handle is freed.
    defer { withExtendedLifetime(self) {} }
    return try handles.lend { (easy, multi) throws(TransferError) in
      try configure(easy)
      let loop = TransferLoop(
        stallTimeout: request.limits.stallTimeout, totalTimeout: request.limits.totalTimeout,
        firstByteTimeout: request.limits.connectTimeout + request.limits.stallTimeout)
      let result: CURLcode
      do throws(TransferLoop.Interruption) {
        result = try loop.run(easy, multi)
      } catch {
        throw failure(error.code, error.problem, cause: error.cause)
      }
      return try answer(result, easy)
    }
  }

  private func answer(
    _ result: CURLcode, _ easy: UnsafeMutableRawPointer
  ) throws(TransferError) -> Answer {
    if let readFailure {
      throw failure(readFailure.code, "cannot read its file", cause: readFailure.cause)
    }
    guard result == CURLE_OK || isReaderDone else { throw failure(of: result) }
    var byteCount: curl_off_t = -1
    CCurl_getOffset(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &byteCount)
    return Answer(byteCount: Int64(byteCount), text: String(decoding: text, as: UTF8.self))
  }

  private func failure(
    _ code: TransferError.Code, _ problem: String, cause: String?
  ) -> TransferError {
    TransferError(code, method: action.name, url: request.url, problem: problem, cause: cause)
  }

  private func failure(of result: CURLcode) -> TransferError {
    let kind = TransferFailureKind(sftp: result, detail: message.text)
    return failure(kind.code, kind.problem, cause: message.cause(of: result))
  }

  private func check(_ result: CURLcode) throws(TransferError) {
    guard result == CURLE_OK else { throw failure(of: result) }
  }
}

extension SFTPExchange {
  /// Sets all options of a request.
  private func configure(_ easy: UnsafeMutableRawPointer) throws(TransferError) {
    let limits = request.limits
    try check(CCurl_setPointer(easy, CURLOPT_ERRORBUFFER, message.buffer))
    try check(CCurl_setLong(easy, CURLOPT_NOSIGNAL, 1))
    try check(CCurl_allowSFTPOnly(easy))
    CCurl_leaveResolverBehind(easy)
    try check(CCurl_setString(easy, CURLOPT_URL, request.url))
    // An empty name turns off the proxies that the environment may name.
    try check(CCurl_setString(easy, CURLOPT_PROXY, ""))
    let timeout = max(1, limits.connectTimeout.milliseconds)
    try check(CCurl_setLong(easy, CURLOPT_CONNECTTIMEOUT_MS, timeout))
    // The loop has this timeout too, but libcurl waits by itself for the end of a file.
    let longest = (limits.totalTimeout + .seconds(1)).milliseconds
    try check(CCurl_setLong(easy, CURLOPT_TIMEOUT_MS, longest))
    if let rate = limits.maximumBytesPerSecond {
      let limit = curl_off_t(max(1, rate))
      try check(CCurl_setOffset(easy, CURLOPT_MAX_SEND_SPEED_LARGE, limit))
      try check(CCurl_setOffset(easy, CURLOPT_MAX_RECV_SPEED_LARGE, limit))
      // libcurl moves a buffer and then waits until the limit allows for that.
      let burst = Exchange.burstByteCount(at: rate)
      try check(CCurl_setLong(easy, CURLOPT_UPLOAD_BUFFERSIZE, burst))
      try check(CCurl_setLong(easy, CURLOPT_BUFFERSIZE, min(burst, 16 << 10)))
    }
    try configureLogin(easy)
    try configureAction(easy)
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(CCurl_setDataCallback(easy, CURLOPT_HEADERFUNCTION, sftpTakesText))
    try check(CCurl_setPointer(easy, CURLOPT_HEADERDATA, context))
    try check(CCurl_setDataCallback(easy, CURLOPT_WRITEFUNCTION, sftpTakesBody))
    try check(CCurl_setPointer(easy, CURLOPT_WRITEDATA, context))
    try check(CCurl_setDataCallback(easy, CURLOPT_READFUNCTION, sftpGivesBody))
    try check(CCurl_setPointer(easy, CURLOPT_READDATA, context))
  }

  private func configureLogin(_ easy: UnsafeMutableRawPointer) throws(TransferError) {
    // libcurl accepts any host key when neither option is set.
    switch request.login.hostKey {
    case .fingerprint(let digest):
      try check(CCurl_setString(easy, CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256, digest))
    case .knownHosts(let path):
      try check(CCurl_setString(easy, CURLOPT_SSH_KNOWNHOSTS, path))
    }
    try check(CCurl_setString(easy, CURLOPT_USERNAME, request.login.user))
    switch request.login.proof {
    case .privateKey(let path):
      try check(CCurl_useSSHLogin(easy, true))
      try check(CCurl_setString(easy, CURLOPT_SSH_PRIVATE_KEYFILE, path))
    case .password(let password):
      try check(CCurl_useSSHLogin(easy, false))
      try check(CCurl_setString(easy, CURLOPT_PASSWORD, password))
    }
  }

  private func configureAction(_ easy: UnsafeMutableRawPointer) throws(TransferError) {
    switch action {
    case .upload:
      try check(CCurl_setLong(easy, CURLOPT_UPLOAD, 1))
      try check(CCurl_setOffset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(body.byteCount ?? 0)))
      // The option also stands for SFTP.
      try check(CCurl_setLong(easy, CURLOPT_FTP_CREATE_MISSING_DIRS, 1))
    case .read: break
    case .size: try check(CCurl_setLong(easy, CURLOPT_NOBODY, 1))
    case .command(let command):
      commands = curl_slist_append(nil, command.text)
      guard commands != nil else { throw failure(of: CURLE_OUT_OF_MEMORY) }
      try check(CCurl_setList(easy, CURLOPT_QUOTE, commands))
      // Without a body, libcurl does not list the directory of the URL.
      try check(CCurl_setLong(easy, CURLOPT_NOBODY, 1))
    }
  }
}
