import Transfer

/// What S3 answered, with the document in its body.
struct S3Answer {
  /// The answer.
  let response: HTTPResponse
  /// The document; `nil` when the body is none.
  let document: S3Document.Element?

  init(_ response: HTTPResponse) {
    self.response = response
    document = S3Document(response.body)?.root
  }

  /// The status; see ``isSuccess`` for what it is worth.
  var status: Int { response.status }

  /// The code of an error, for example `NoSuchUpload`, also from an answer with the status 200:
  /// S3 begins some answers before it knows how they end.
  var errorCode: String? {
    guard let document, document.name == "Error" else { return nil }
    return document["Code"] ?? ""
  }

  /// Whether the request did what it was to do.
  var isSuccess: Bool { status == 200 && errorCode == nil }

  /// What the server says about an error, for people; one line.
  var explanation: String {
    var text = errorCode.map { " \(ByteText.shown($0, maximum: 60))" } ?? ""
    if let message = document?["Message"], document?.name == "Error", !message.isEmpty {
      text += " (\(ByteText.shown(message)))"
    }
    if let region = document?["Region"] ?? response["x-amz-bucket-region"], !response.isSuccess {
      text += "; the bucket is in the region \"\(ByteText.shown(region, maximum: 40))\""
    }
    return text
  }
}

extension DeliveryFailure {
  /// Makes the failure for an answer that is not what a request to S3 is to get.
  init(cannot what: String, _ url: String, _ answer: S3Answer, wallNanoseconds: Int64) {
    let (code, scope) =
      answer.errorCode.flatMap(Self.kind(ofS3Code:)) ?? Self.kind(ofS3Status: answer.status)
    let response = answer.response
    self.init(
      code, scope: scope,
      text:
        "the target did not \(what) \"\(url)\": it answered \(answer.status)\(answer.explanation)",
      status: answer.status,
      retryAfter: response["Retry-After"].flatMap {
        RetryAfter.wait($0, date: response["Date"], now: wallNanoseconds / 1_000_000_000)
      })
  }

  /// What an error code of S3 means, where it says more than the status; the codes are those of
  /// "Error responses" in the API reference of Amazon S3, and of servers that speak its language.
  private static func kind(ofS3Code code: String) -> (Code, Scope)? {
    switch code {
    case "SlowDown", "Throttling", "ThrottlingException", "RequestLimitExceeded",
      "TooManyRequests", "BandwidthLimitExceeded":
      (.throttled, .target)
    case "RequestTimeout", "RequestTimeoutException":
      (.timedOut, .target)
    case "InternalError", "IncompleteBody":
      (.serverError, .target)
    case "AccessDenied", "AccountProblem", "AllAccessDisabled", "AuthorizationHeaderMalformed",
      "ExpiredToken", "InvalidAccessKeyId", "InvalidSecurity", "InvalidToken", "NotSignedUp",
      "RequestTimeTooSkewed", "SignatureDoesNotMatch", "TokenRefreshRequired":
      (.unauthorized, .target)
    case "InvalidBucketName", "MethodNotAllowed", "NoSuchBucket", "NotImplemented",
      "PermanentRedirect", "TemporaryRedirect":
      (.blocked, .target)
    case "InsufficientStorage", "QuotaExceeded", "XMinioStorageFull":
      (.targetFull, .target)
    case "BadDigest", "InvalidDigest", "XAmzContentChecksumMismatch",
      "XAmzContentSHA256Mismatch":
      (.corrupted, .item)
    case "EntityTooLarge", "MetadataTooLarge":
      (.rejected, .item)
    case "KeyTooLongError":
      (.badName, .item)
    case "ConditionalRequestConflict", "OperationAborted":
      (.conflict, .item)
    case "EntityTooSmall", "InvalidPart", "InvalidPartOrder", "NoSuchUpload":
      (.serverError, .item)
    default:
      nil
    }
  }

  private static func kind(ofS3Status status: Int) -> (Code, Scope) {
    switch status {
    case 401, 403, 407: (.unauthorized, .target)
    case 408: (.timedOut, .target)
    case 429, 503: (.throttled, .target)
    case 507: (.targetFull, .target)
    case 404, 405, 411, 415, 501: (.blocked, .target)
    case 409, 412: (.conflict, .item)
    // An error document under a success, or a fault of the server's own.
    case 200, 425, 500...599: (.serverError, .target)
    case 400...499: (.rejected, .item)
    // A success that is none, or a redirect: this is not the server we were told of.
    default: (.blocked, .target)
    }
  }
}
