import NIOHTTP1

/// The rules of RFC 9110 and 9112 for a connection that the server's framework leaves to its user.
///
/// A value without I/O, which takes the heads of requests and answers in their order.
struct MessageRules {
  /// The fate of a request.
  enum Fate {
    case serve(HTTPRequestHead)
    case refuse
    /// No answer, because an earlier request was the connection's last.
    case ignore
  }

  /// Whether the body that is read now belongs to a served request.
  private(set) var isServing = false
  private var isOver = false
  private var unanswered = 0
  /// The version of the connection's last request, once that is known.
  private var lastVersion: HTTPVersion?

  /// Takes the head of the next request.
  mutating func take(_ head: HTTPRequestHead) -> Fate {
    isServing = false
    guard !isOver else { return .ignore }
    guard Self.hasValidHost(head) else {
      isOver = true
      return .refuse
    }
    isServing = true
    unanswered += 1
    var head = head
    // RFC 9110, 10.1.1: a client of HTTP/1.0 knows no intermediate answer.
    if head.isOld { head.headers.remove(name: "expect") }
    if Self.isLast(head) {
      isOver = true
      lastVersion = head.version
      // The framework knows only this word.
      head.headers.replaceOrAdd(name: "connection", value: "close")
    }
    return .serve(head)
  }

  /// Returns the head of the next answer as it is to be sent.
  mutating func complete(_ head: HTTPResponseHead) -> HTTPResponseHead {
    guard head.status.code >= 200 else { return head }
    unanswered -= 1
    guard unanswered == 0, let lastVersion else { return head }
    var head = head
    head.headers.replaceOrAdd(name: "connection", value: "close")
    // RFC 9112, 6.1: an older client knows no chunks, so the end of the connection ends the body.
    if lastVersion != .http1_1 { head.version = lastVersion }
    return head
  }

  /// RFC 9112, 9.3 and 9.6.
  ///
  /// Behind a request to change the protocol, which is not done here, the parser reads nothing.
  /// A connection of HTTP/1.0 ends even if its client would keep it, which is permitted.
  private static func isLast(_ head: HTTPRequestHead) -> Bool {
    head.isOld || !head.isKeepAlive || head.method == .CONNECT
      || head.headers.contains(name: "upgrade")
  }

  /// RFC 9112, 3.2: one host is given, or none by a client of HTTP/1.0.
  private static func hasValidHost(_ head: HTTPRequestHead) -> Bool {
    let hosts = head.headers["host"]
    guard hosts.count == 1 else { return hosts.isEmpty && head.isOld }
    // The parser leaves the space behind a value.
    return hosts[0].reversed().drop { $0 == " " || $0 == "\t" }.allSatisfy(hostCharacters.contains)
  }

  /// The characters of names and addresses with a port (RFC 3986, 3.2).
  private static let hostCharacters = Set<Character>(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=%[]:")
}

extension HTTPRequestHead {
  /// Whether the client knows only HTTP/1.0; the parser passes on no other older version.
  fileprivate var isOld: Bool { version == .http1_0 }
}
