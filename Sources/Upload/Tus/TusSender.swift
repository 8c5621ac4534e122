import Transfer

/// A sender of one delivery's requests to a tus server.
struct TusSender {
  /// The connection settings and timeouts.
  let settings: HTTPSettings
  /// Our identity.
  let identity: TusIdentity
  /// The connection.
  let client: HTTPClient
  /// Nanoseconds since 1970 by our own clock.
  let wallNanoseconds: @Sendable () -> Int64

  /// Sends a request and returns the answer, whatever its status.
  ///
  /// A single redirection within the origin is followed. Nothing is sent to another origin.
  ///
  /// - Throws: ``DeliveryFailure`` when there is no complete answer, or when the answer leads
  ///   elsewhere.
  func send(
    _ method: String, _ url: OriginURL, _ headers: [HTTPHeader] = [], body: HTTPBody = .none,
    byteCount: Int64 = 0
  ) async throws(DeliveryFailure) -> HTTPResponse {
    var url = url
    var mayRedirect = true
    while true {
      // The protocol requires its version in every request but `OPTIONS`.
      let version =
        method == "OPTIONS" ? [] : [HTTPHeader("Tus-Resumable", TusCapabilities.version)]
      let request = settings.request(
        method, url.text, headers: version + headers + identity.headers, body: body,
        byteCount: byteCount, credentials: identity.credentials)
      let response: HTTPResponse
      do {
        response = try await client.send(request)
      } catch {
        throw DeliveryFailure(error)
      }
      guard response.status == 307 || response.status == 308 else { return response }
      guard mayRedirect, let target = response["Location"].flatMap(url.sameOrigin) else {
        throw DeliveryFailure(
          .blocked, scope: .target,
          text: """
            the target answered \(response.status) to "\(method) \(redactedURL(url.text))" and \
            names another place, where our credentials do not belong; name it in the \
            configuration if it is right
            """, status: response.status)
      }
      mayRedirect = false
      url = target
    }
  }

  /// Makes the failure for an answer that a request did not expect.
  func failure(
    cannot what: String, _ url: OriginURL, _ response: HTTPResponse
  ) -> DeliveryFailure {
    let (code, scope) = Self.kind(ofStatus: response.status)
    return DeliveryFailure(
      code, scope: scope,
      text: "the target did not \(what) \"\(redactedURL(url.text))\": it answered "
        + "\(response.status)" + response.explanation,
      status: response.status,
      retryAfter: response["Retry-After"].flatMap {
        RetryAfter.wait($0, date: response["Date"], now: wallNanoseconds() / 1_000_000_000)
      })
  }

  /// Makes the failure for an answer that no tus server sends.
  func notTus(_ url: OriginURL, _ response: HTTPResponse, _ problem: String) -> DeliveryFailure {
    DeliveryFailure(
      .blocked, scope: .target,
      text: """
        what answers at "\(redactedURL(url.text))" does not speak tus \(TusCapabilities.version): \
        \(problem)
        """, status: response.status)
  }

  private static func kind(
    ofStatus status: Int
  ) -> (DeliveryFailure.Code, DeliveryFailure.Scope) {
    switch status {
    case 401, 403, 407: (.unauthorized, .target)
    case 408: (.timedOut, .target)
    case 413: (.rejected, .item)
    // Locked, for example by an earlier request that the server believes to be alive.
    case 423: (.serverError, .item)
    case 425: (.serverError, .target)
    case 429, 503: (.throttled, .target)
    case 460: (.corrupted, .item)
    case 501: (.blocked, .target)
    case 507: (.targetFull, .target)
    case 500...599: (.serverError, .target)
    // 412: another version of the protocol.
    case 404, 405, 410, 411, 412, 415: (.blocked, .target)
    case 409: (.conflict, .item)
    case 400...499: (.rejected, .item)
    default: (.blocked, .target)
    }
  }
}
