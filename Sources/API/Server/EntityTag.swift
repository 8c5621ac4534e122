import Hummingbird

/// Answers to callers who have a version already, by its entity tag (RFC 9110, 8.8.3 and 13.1.2).
extension Request {
  /// Returns whether the caller has the version of a tag, which is in quotes.
  func has(_ tag: String) -> Bool { headers[.ifNoneMatch]?.contains(tag) == true }
}

extension Response {
  /// Makes the answer to a caller who has the version.
  static func notModified(_ headers: HTTPFields) -> Response {
    var response = Response(status: .notModified, headers: headers)
    response.headers[.contentType] = nil
    response.headers[.contentLength] = nil
    return response
  }
}
