import Testing

@testable import Transfer
@testable import Upload

@Suite struct DeliveryFailureTests {
  @Test(
    arguments: [
      (400, .rejected, .item), (401, .unauthorized, .target), (403, .unauthorized, .target),
      (404, .blocked, .target), (405, .blocked, .target), (408, .timedOut, .target),
      (409, .conflict, .item), (412, .conflict, .item), (413, .rejected, .item),
      (415, .rejected, .item), (429, .throttled, .target), (500, .serverError, .target),
      (501, .blocked, .target), (502, .serverError, .target), (503, .throttled, .target),
      (507, .targetFull, .target), (301, .blocked, .target), (200, .blocked, .target),
    ] as [(Int, DeliveryFailure.Code, DeliveryFailure.Scope)])
  func `a status decides a failure's code and scope`(
    status: Int, code: DeliveryFailure.Code, scope: DeliveryFailure.Scope
  ) {
    let failure = DeliveryFailure(
      cannot: "store", "http://h/x", HTTPResponse(status: status), wallNanoseconds: 0)
    #expect(failure.code == code)
    #expect(failure.scope == scope)
    #expect(failure.status == status)
    #expect(
      failure.text == "the target did not store \"http://h/x\": it answered \(status)")
  }

  /// The answers are from sabre/dav and nginx, a gateway's text and page, and a long one.
  @Test(arguments: [
    (
      """
      <?xml version="1.0" encoding="utf-8"?>
      <d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns">
        <s:exception>OCA\\DAV\\InvalidPath</s:exception>
        <s:message>&quot;.part&quot; is a forbidden file type</s:message>
      </d:error>
      """, #"".part" is a forbidden file type"#
    ),
    (
      "<html>\r\n<head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>",
      "413 Request Entity Too Large"
    ),
    ("no room\u{1B}[2J\r\nleft", "no room [2J left"), ("<p>not <b>here</b></p>", "not here"),
    (String(repeating: "x", count: 500), String(repeating: "x", count: 120) + "…"),
  ])
  func `the server's words are shown`(body: String, words: String) {
    let failure = DeliveryFailure(
      cannot: "store", "http://h/x", HTTPResponse(status: 413, body: Array(body.utf8)),
      wallNanoseconds: 0)
    #expect(failure.text.hasSuffix("it answered 413 (\(words))"), "\(failure.text)")
  }

  @Test(arguments: [
    ("https://bob:hunter2@nas.example/dav/x?token=1", "https://nas.example/dav/x?…"),
    ("/login", "/login"),
  ])
  func `the target of a redirection is shown`(location: String, shown: String) {
    let response = HTTPResponse(status: 301, headers: [HTTPHeader("Location", location)])
    let failure = DeliveryFailure(cannot: "store", "http://h/x", response, wallNanoseconds: 0)
    #expect(failure.text.contains("it answered 301; it leads to \"\(shown)\""))
    #expect(!failure.text.contains("hunter2"))
  }

  @Test(arguments: [
    (["Negotiate", "NTLM"], "; it asks for \"Negotiate, NTLM\""),
    (["Bearer error=\"a, b\", scope=\"c\""], "; it asks for \"Bearer\""),
    (["Negotiate", "Basic realm=\"x\""], ""), ([], ""),
  ])
  func `an unknown authentication scheme is named`(fields: [String], words: String) {
    let response = HTTPResponse(
      status: 401, headers: fields.map { HTTPHeader("WWW-Authenticate", $0) })
    let failure = DeliveryFailure(cannot: "store", "http://h/x", response, wallNanoseconds: 0)
    #expect(failure.text.hasSuffix("it answered 401\(words)"), "\(failure.text)")
  }

  @Test func `a Retry-After field is read`() {
    let response = HTTPResponse(status: 503, headers: [HTTPHeader("Retry-After", "17")])
    let failure = DeliveryFailure(cannot: "store", "u", response, wallNanoseconds: 0)
    #expect(failure.retryAfter == .seconds(17))
  }

  @Test(
    arguments: [
      (.couldNotConnect, .unreachable, .target), (.sendFailed, .unreachable, .target),
      (.timedOut, .timedOut, .target), (.tls, .tls, .target),
      (.fileUnreadable, .fileUnreadable, .item), (.cancelled, .cancelled, .target),
      (.responseTooLarge, .serverError, .target),
    ] as [(TransferError.Code, DeliveryFailure.Code, DeliveryFailure.Scope)])
  func `a lost request has a failure's code and scope`(
    cause: TransferError.Code, code: DeliveryFailure.Code, scope: DeliveryFailure.Scope
  ) {
    let failure = DeliveryFailure(
      TransferError(cause, method: "PUT", url: "http://h/x", problem: "failed"))
    #expect(failure.code == code)
    #expect(failure.scope == scope)
    #expect(failure.text == "\"PUT http://h/x\" failed")
  }
}
