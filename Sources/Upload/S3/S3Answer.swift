import Transfer

/// An answer of S3, with the document in its body.
struct S3Answer {
  /// The answer.
  let response: HTTPResponse
  /// The document; `nil` when the body has no readable document.
  let document: S3Document.Element?

  init(_ response: HTTPResponse) {
    self.response = response
    document = S3Document(response.body)?.root
  }

  /// The HTTP status; see ``isSuccess`` for its meaning.
  var status: Int { response.status }

  /// The code of an error, for example `NoSuchUpload`, also in an answer with status 200.
  ///
  /// S3 begins some answers before it knows how they end.
  var errorCode: String? {
    guard let document, document.name == "Error" else { return nil }
    return document["Code"] ?? ""
  }

  /// Whether the request succeeded.
  var isSuccess: Bool { status == 200 && errorCode == nil }

  /// The server's explanation of an error, for people; one line.
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
  /// Makes the failure for an answer that a request to S3 did not expect.
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

  /// Returns the meaning of an S3 error code; `nil` when the status decides.
  ///
  /// The codes are from "Error responses" in the API reference of Amazon S3, and from compatible
  /// servers.
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
    // An error document with a success status, or a fault of the server itself.
    case 200, 425, 500...599: (.serverError, .target)
    case 400...499: (.rejected, .item)
    // An unexpected success, or a redirect: this is not the configured server.
    default: (.blocked, .target)
    }
  }
}
