import Hummingbird
import NIOCore

/// The routes whose answers are no JSON.
extension APIRoutes {
  func events(_ request: Request, _ context: APIContext) async throws -> Response {
    _ = try parameters(Operations.events, request, context)
    let listener = try feed.listen(after: lastEventID(of: request), as: context.caller)
    return eventStream(listener, run: feed.run, request, context)
  }

  func logEvents(_ request: Request, _ context: APIContext) async throws -> Response {
    let input = EndpointRequest(
      parameters: try parameters(Operations.logEvents, request, context))
    let filter = try LogFilter(stream: input)
    let listener = try logFeed.listen(after: lastEventID(of: request), as: context.caller)
    return eventStream(listener, run: logFeed.run, request, context) { filter.matches($0) }
  }

  /// Returns the last event that a listener saw; a foreign ID counts as one of another run.
  private func lastEventID(of request: Request) -> EventID? {
    let field = request.headers.first { $0.name.canonicalName == "last-event-id" }
    return field.map { EventID($0.value) ?? EventID(run: "", number: 0) }
  }

  func metrics(_ request: Request, _ context: APIContext) async throws -> Response {
    _ = try parameters(Operations.metrics, request, context)
    let status = await service.status()
    let counters = RigMetrics.Counters(
      answersByClass: counter.answersByClass, listeners: feed.listenerCount + logFeed.listenerCount,
      maximumListeners: feed.maximumListeners + logFeed.maximumListeners,
      droppedEvents: feed.droppedCount + logFeed.droppedCount)
    let text = RigMetrics(status: status, counters: counters).text
    return Response(
      status: .ok,
      headers: [.contentType: MetricsText.mediaType, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  func spoolImage(_ request: Request, _ context: APIContext) async throws -> Response {
    let input = EndpointRequest(
      parameters: try parameters(Operations.spoolImage, request, context))
    let item = try await item(try SpoolItemReference(input).id)
    let body: ResponseBody
    do {
      body = try await FileIO().loadFile(path: item.path, context: context)
    } catch {
      throw APIError(
        .notFound, "The picture \"\(item.id)\" has no file; it is \(item.state).")
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: item.mediaType ?? "application/octet-stream", .cacheControl: "no-store",
      ], body: body)
  }

  /// Returns a picture's small picture, which a browser keeps.
  ///
  /// Only the small picture of a proxy changes, when the final picture takes its place.
  func spoolThumbnail(_ request: Request, _ context: APIContext) async throws -> Response {
    let input = EndpointRequest(
      parameters: try parameters(Operations.spoolThumbnail, request, context))
    let item = try await item(try SpoolItemReference(input).id)
    let tag = "\"\(item.sha256)\""
    let headers: HTTPFields = [
      .contentType: "image/jpeg", .eTag: tag,
      .cacheControl: item.isProxy == true
        ? "private, no-cache" : "private, max-age=31536000, immutable",
    ]
    if request.has(tag) { return .notModified(headers) }
    guard let jpeg = try await service.spoolThumbnail(id: item.id) else {
      throw APIError(
        .notFound,
        "The picture \"\(item.id)\" has no thumbnail: no file of its exposure has one or is one."
      )
    }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: jpeg)))
  }
}
