import Transfer

extension DeliveryFailure {
  /// Makes the failure for a request that got no answer.
  init(_ error: TransferError) {
    let (code, scope): (Code, Scope) =
      switch error.code {
      case .cancelled: (.cancelled, .target)
      case .fileUnreadable: (.fileUnreadable, .item)
      case .shortOfResources: (.shortOfResources, .target)
      case .timedOut: (.timedOut, .target)
      case .tls: (.tls, .target)
      case .badURL, .badRequest: (.blocked, .target)
      case .malformedResponse, .responseTooLarge: (.serverError, .target)
      default: (.unreachable, .target)
      }
    self.init(code, scope: scope, text: error.description, status: error.status)
  }

  /// Makes the failure for an answer that a request did not expect.
  ///
  /// - Parameters:
  ///   - what: the attempted action, for example `store`.
  ///   - url: the object or collection, without secrets.
  ///   - response: the answer.
  ///   - wallNanoseconds: our own time, for a `Retry-After` in an answer without `Date`.
  init(
    cannot what: String, _ url: String, _ response: HTTPResponse, wallNanoseconds: Int64
  ) {
    let (code, scope) = Self.kind(ofStatus: response.status)
    self.init(
      code, scope: scope,
      text: "the target did not \(what) \"\(url)\": it answered \(response.status)"
        + response.explanation,
      status: response.status,
      retryAfter: response["Retry-After"].flatMap {
        RetryAfter.wait($0, date: response["Date"], now: wallNanoseconds / 1_000_000_000)
      })
  }

  /// Returns the code and the scope that a status means for the delivery of an item.
  private static func kind(ofStatus status: Int) -> (Code, Scope) {
    switch status {
    case 401, 403, 407: (.unauthorized, .target)
    case 429: (.throttled, .target)
    case 503: (.throttled, .target)
    case 507: (.targetFull, .target)
    case 408: (.timedOut, .target)
    case 425, 500...599: status == 501 ? (.blocked, .target) : (.serverError, .target)
    case 404, 405, 411: (.blocked, .target)
    case 409, 412: (.conflict, .item)
    case 400...499: (.rejected, .item)
    // An unexpected success, or a redirect: this is not the configured server.
    default: (.blocked, .target)
    }
  }
}
