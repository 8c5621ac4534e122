import Transfer

/// A target that sends items to an endpoint for processing and keeps the results.
///
/// An item is sent with `POST` and its ID as `Idempotency-Key`. So an endpoint whose answer was
/// lost can answer again without repeating the work. The answer is either JSON (`200` or `201`,
/// `application/json`), which is the result, or a stream of server-sent events (`200`,
/// `text/event-stream`):
///
/// | event | data | |
/// |---|---|---|
/// | `progress` | `{"fraction": 0...1, "message": text}`, both optional | shown, kept nowhere |
/// | `result` | any JSON, 64 KiB at most | kept with the receipt; the last one counts |
/// | `error` | `{"code": text, "message": text, "retryable": Boolean}` | ends the attempt |
/// | `done` | `{"sha256": text}`, optional | the item is delivered |
///
/// A stream delivers the item only if `done` has come. A `sha256` in `done` or in the JSON must be
/// the item's.
package struct ProcessingTarget: UploadTarget {
  private let configuration: ProcessingConfiguration
  private let clients: HTTPClientPool
  private let hasher = FileHasher()
  private let wallNanoseconds: @Sendable () -> Int64

  /// Makes a target; nothing is connected yet.
  ///
  /// - Throws: ``DeliveryFailure`` with `blocked` when the URL cannot be used.
  package init(
    _ configuration: ProcessingConfiguration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds
  ) throws(DeliveryFailure) {
    guard CollectionURL(configuration.url) != nil else {
      throw DeliveryFailure(unusableURL: configuration.url)
    }
    self.configuration = configuration
    self.wallNanoseconds = wallNanoseconds
    clients = HTTPClientPool(userAgent: configuration.http.userAgent)
  }

  /// The endpoint's URL.
  package var description: String { configuration.url }

  /// Delivers an item and waits for the result.
  ///
  /// - Throws: ``DeliveryFailure``.
  package func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    try await hasher.verify(delivery)
    let request = try request(for: delivery)
    let reader = ProcessingReader(
      sha256: delivery.sha256,
      stallTimeout: http.timeout(forBytes: Int64(ProcessingReader.maximumEventBytes)),
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

  private var http: HTTPSettings { configuration.http }

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

  /// Makes the failure for an answer that is no success, with the endpoint's reason, if any.
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
