import Transfer

/// Delivers items to an endpoint that makes something of them, and keeps what it made.
///
/// An item is sent with `POST` and its ID as `Idempotency-Key`, so that an endpoint which has done
/// the work and whose answer was lost can answer again without doing it twice. The answer is either
/// JSON (`200` or `201`, `application/json`), which then is the result, or a stream of server-sent
/// events (`200`, `text/event-stream`):
///
/// | event | data | |
/// |---|---|---|
/// | `progress` | `{"fraction": 0...1, "message": text}`, both optional | shown, kept nowhere |
/// | `result` | any JSON, 64 KiB at most | kept with the receipt; the last one counts |
/// | `error` | `{"code": text, "message": text, "retryable": Boolean}` | ends the attempt |
/// | `done` | `{"sha256": text}`, optional | the item is delivered |
///
/// An item is delivered when `done` has come, and at no other end of the stream; where `done` or
/// the JSON names a `sha256`, it must be the item's.
public struct ProcessingTarget: UploadTarget {
  private let configuration: ProcessingConfiguration
  private let clients: HTTPClientPool
  private let wallNanoseconds: @Sendable () -> Int64

  /// Makes a target; nothing is connected yet.
  ///
  /// - Throws: ``DeliveryFailure`` with `blocked` when the URL cannot be used.
  public init(
    _ configuration: ProcessingConfiguration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds
  ) throws(DeliveryFailure) {
    guard CollectionURL(configuration.url) != nil else {
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: """
          "\(redactedURL(configuration.url))" is no URL to deliver to: expected http or https, \
          a host, and no user, password, query or fragment
          """)
    }
    self.configuration = configuration
    self.wallNanoseconds = wallNanoseconds
    clients = HTTPClientPool(userAgent: configuration.http.userAgent)
  }

  /// The endpoint's URL.
  public var description: String { configuration.url }

  /// Delivers an item and waits for what becomes of it.
  ///
  /// - Throws: ``DeliveryFailure``.
  public func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    let request = try request(for: delivery)
    let reader = ProcessingReader(
      sha256: delivery.sha256,
      stallTimeout: http.patience(forBytes: Int64(ProcessingReader.maximumEventBytes)),
      note: { journal.note($0) })
    return try await clients.withClient { client throws(DeliveryFailure) in
      let response: HTTPResponse
      do throws(TransferError) {
        response = try await client.send(request) { reader.take($0, $1) }
      } catch {
        throw DeliveryFailure(error)
      }
      guard response.isSuccess else { throw refusal(of: delivery, response) }
      return try receipt(
        for: delivery, reader.outcome(of: response), response)
    }
  }

  /// The times that processing is given, which takes longer than storing.
  private var http: HTTPSettings {
    var http = configuration.http
    http.stallTimeout = configuration.stallTimeout
    http.answerTimeout = configuration.answerTimeout
    return http
  }

  private func request(for item: PendingDelivery) throws(DeliveryFailure) -> HTTPRequest {
    var headers = [
      HTTPHeader("Idempotency-Key", item.id),
      HTTPHeader("Accept", "text/event-stream, application/json"),
    ]
    if let token = configuration.bearerToken {
      headers.append(HTTPHeader("Authorization", "Bearer \(try token.read())"))
    }
    let form = FormData(item, configuration.form)
    return http.request(
      "POST", configuration.url, headers: headers + form.headers, body: form.body,
      byteCount: item.byteCount)
  }

  private func receipt(
    for item: PendingDelivery, _ outcome: ProcessingAnswer.Outcome, _ response: HTTPResponse
  ) throws(DeliveryFailure) -> Receipt {
    switch outcome {
    case .failed(let failure):
      throw failure.deliveryFailure(of: item.remoteName, status: response.status)
    case .done(let done):
      return Receipt(
        url: configuration.url, remoteName: item.remoteName, sha256: item.sha256,
        verification: done.isChecked ? .checksum : .statusOnly, status: response.status,
        entityTag: nil, isDuplicate: response["Idempotent-Replayed"]?.lowercased() == "true",
        result: done.result,
        wallNanoseconds: wallNanoseconds())
    }
  }

  /// Makes the failure for an answer that is no success, with the endpoint's reason if it gives one.
  private func refusal(of item: PendingDelivery, _ response: HTTPResponse) -> DeliveryFailure {
    let failure = DeliveryFailure(
      cannot: "process", item.remoteName, response, wallNanoseconds: wallNanoseconds())
    guard let value = try? JSONParser.parse(response.body),
      let said = ProcessingAnswer.Failure.said(in: value)
    else { return failure }
    return DeliveryFailure(
      failure.code, scope: failure.scope, text: "\(failure.text): \(said.words)",
      status: failure.status, retryAfter: failure.retryAfter)
  }
}
