import Foundation
import Transfer

/// A sender that signs the requests of one delivery.
struct S3Sender {
  /// The location of the objects.
  let location: S3Location
  /// The connection settings and timeouts.
  let settings: HTTPSettings
  /// The region that requests are signed for.
  let region: String
  let key: S3Key
  /// The clock, shared by all deliveries of the target.
  let clock: S3Clock
  /// The connection.
  let client: HTTPClient

  /// Sends a request and returns the answer, whatever its status.
  ///
  /// After a refusal because of the clock the request is retried once, with the right time. One
  /// redirection to another path of the same origin is followed. Nothing is sent to another origin.
  ///
  /// - Throws: ``DeliveryFailure`` when there is no complete answer, or when the answer leads
  ///   elsewhere.
  func send(_ call: S3Call) async throws(DeliveryFailure) -> S3Answer {
    var path = location.path(call.key)
    var query = call.query
    var mayCorrectClock = true
    var mayRedirect = true
    while true {
      let assumed = clock.seconds
      let start = ContinuousClock.now
      let request = signedRequest(call, path: path, query: query, at: assumed)
      let answer: S3Answer
      do {
        answer = S3Answer(try await client.send(request))
      } catch {
        throw DeliveryFailure(error)
      }
      let elapsed = ContinuousClock.now - start
      if mayCorrectClock, clock.learn(from: answer, signedAt: assumed, elapsed: elapsed) {
        mayCorrectClock = false
      } else if answer.status == 307 || answer.status == 308 {
        guard mayRedirect, let target = redirection(of: answer, from: request.url) else {
          throw DeliveryFailure(
            .blocked, scope: .target,
            text: """
              the target answered \(answer.status) to "\(call.method) \(redactedURL(request.url))" \
              and names another place, where our credentials do not belong; name it in the \
              configuration if it is right
              """, status: answer.status)
        }
        mayRedirect = false
        (path, query) = target
      } else {
        return answer
      }
    }
  }

  /// Makes the failure for an answer that a request did not expect.
  func failure(cannot what: String, _ key: S3ObjectKey, _ answer: S3Answer) -> DeliveryFailure {
    DeliveryFailure(
      cannot: what, location.url(key), answer, wallNanoseconds: clock.ownNanoseconds)
  }

  private func signedRequest(
    _ call: S3Call, path: String, query: [CanonicalRequest.Parameter], at seconds: Int64
  ) -> HTTPRequest {
    let time = SigningTime(seconds: seconds)
    var headers = [
      HTTPHeader("Host", location.hostField), HTTPHeader("x-amz-date", time.text),
      HTTPHeader("x-amz-content-sha256", call.payloadHash),
    ]
    if let token = key.sessionToken { headers.append(HTTPHeader("x-amz-security-token", token)) }
    headers += call.headers
    let canonical = CanonicalRequest(
      method: call.method, path: path, query: query, headers: headers,
      payloadHash: call.payloadHash)
    let signature = SignatureV4(
      accessKeyID: key.accessKeyID, secretAccessKey: key.secretAccessKey, region: region,
      service: "s3")
    headers.append(
      HTTPHeader("Authorization", signature.authorization(for: canonical, at: time)))
    return settings.request(
      call.method, location.url(path: path, encodedQuery: canonical.encodedQuery),
      headers: headers, body: call.body, byteCount: call.byteCount)
  }

  private func redirection(
    of answer: S3Answer, from url: String
  ) -> (path: String, query: [CanonicalRequest.Parameter])? {
    guard let reference = answer.response["Location"],
      let target = OriginURL(url)?.sameOrigin(reference)
    else { return nil }
    let pairs = target.target.dropFirst(target.path.utf8.count + 1).split(separator: "&")
    var query: [CanonicalRequest.Parameter] = []
    for pair in pairs {
      let name = pair.prefix { $0 != "=" }
      let value = pair.dropFirst(name.count + 1)
      guard let decodedName = String(name).removingPercentEncoding,
        let decodedValue = String(value).removingPercentEncoding
      else { return nil }
      query.append(CanonicalRequest.Parameter(decodedName, decodedValue))
    }
    return (target.path, query)
  }
}
