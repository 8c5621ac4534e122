import Testing

@testable import Transfer
@testable import Upload

/// The meaning of an answer of S3 for a delivery.
@Suite struct S3AnswerTests {
  struct Sample: Sendable {
    var status: Int
    var code: String?
    var meaning: DeliveryFailure.Code
    var scope: DeliveryFailure.Scope

    init(
      _ status: Int, _ code: String, _ meaning: DeliveryFailure.Code,
      _ scope: DeliveryFailure.Scope
    ) {
      self.status = status
      self.code = code
      self.meaning = meaning
      self.scope = scope
    }

    init(_ status: Int, _ meaning: DeliveryFailure.Code, _ scope: DeliveryFailure.Scope) {
      self.status = status
      self.meaning = meaning
      self.scope = scope
    }
  }

  static let byCode: [Sample] = [
    Sample(400, "BadDigest", .corrupted, .item),
    Sample(400, "XAmzContentSHA256Mismatch", .corrupted, .item),
    Sample(400, "ExpiredToken", .unauthorized, .target),
    Sample(400, "AuthorizationHeaderMalformed", .unauthorized, .target),
    Sample(400, "AccessDenied", .unauthorized, .target),
    Sample(400, "RequestTimeout", .timedOut, .target),
    Sample(400, "EntityTooLarge", .rejected, .item),
    Sample(400, "KeyTooLongError", .badName, .item),
    Sample(400, "InvalidBucketName", .blocked, .target),
    Sample(400, "Whatever", .rejected, .item),
    Sample(403, "SignatureDoesNotMatch", .unauthorized, .target),
    Sample(403, "QuotaExceeded", .targetFull, .target),
    Sample(404, "NoSuchBucket", .blocked, .target),
    Sample(404, "NoSuchUpload", .serverError, .item),
    Sample(409, "OperationAborted", .conflict, .item),
    Sample(503, "SlowDown", .throttled, .target),
    Sample(200, "InternalError", .serverError, .target),
    Sample(200, "SlowDown", .throttled, .target),
    Sample(200, "Whatever", .serverError, .target),
  ]
  static let byStatus: [Sample] = [
    Sample(301, .blocked, .target), Sample(401, .unauthorized, .target),
    Sample(403, .unauthorized, .target), Sample(404, .blocked, .target),
    Sample(405, .blocked, .target), Sample(408, .timedOut, .target),
    Sample(411, .blocked, .target), Sample(413, .rejected, .item),
    Sample(415, .blocked, .target), Sample(425, .serverError, .target),
    Sample(429, .throttled, .target), Sample(500, .serverError, .target),
    Sample(501, .blocked, .target), Sample(502, .serverError, .target),
    Sample(503, .throttled, .target), Sample(507, .targetFull, .target),
    Sample(204, .blocked, .target),
  ]

  @Test(arguments: byCode + byStatus)
  func `an error's code and scope follow from the answer`(sample: Sample) {
    let body = sample.code.map { "<Error><Code>\($0)</Code><Message>why</Message></Error>" } ?? ""
    let answer = S3Answer(HTTPResponse(status: sample.status, body: Array(body.utf8)))
    #expect(!answer.isSuccess)
    let failure = DeliveryFailure(cannot: "store", "http://h/x", answer, wallNanoseconds: 0)
    #expect(failure.code == sample.meaning)
    #expect(failure.scope == sample.scope)
    #expect(failure.status == sample.status)
    let explanation = sample.code.map { " \($0) (why)" } ?? ""
    #expect(
      failure.text
        == "the target did not store \"http://h/x\": it answered \(sample.status)\(explanation)")
  }

  @Test func `an error document with status 200 is no success`() {
    #expect(S3Answer(HTTPResponse(status: 200)).isSuccess)
    let error = Array("<?xml version='1.0'?>\n \n<Error><Code>InternalError</Code></Error>".utf8)
    #expect(!S3Answer(HTTPResponse(status: 200, body: error)).isSuccess)
    #expect(!S3Answer(HTTPResponse(status: 200, body: Array("<Error/>".utf8))).isSuccess)
  }

  @Test func `the bucket's region is named`() {
    let body = """
      <Error><Code>AuthorizationHeaderMalformed</Code><Message>no\nway</Message>\
      <Region>eu-west-3</Region></Error>
      """
    let answer = S3Answer(HTTPResponse(status: 400, body: Array(body.utf8)))
    #expect(
      answer.explanation
        == " AuthorizationHeaderMalformed (no way); the bucket is in the region \"eu-west-3\"")
  }

  @Test func `a server's Retry-After is kept`() {
    let answer = S3Answer(
      HTTPResponse(status: 503, headers: [HTTPHeader("Retry-After", "17")]))
    #expect(
      DeliveryFailure(cannot: "store", "u", answer, wallNanoseconds: 0).retryAfter == .seconds(17))
  }
}
