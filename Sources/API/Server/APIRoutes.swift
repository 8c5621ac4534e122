import Hummingbird
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle

/// The paths of the API and what each does.
struct APIRoutes: Sendable {
  let service: any RigService
  let feed: EventFeed
  let maximumBodyBytes: Int

  /// Builds what answers requests.
  func makeResponder() -> RouterResponder<APIContext> {
    let routes: [(HTTPRequest.Method, String, Handler)] =
      [
        (.get, "/healthz", health),
        (.get, "/v1/status", status),
        (.get, "/v1/events", events),
        (.post, "/v1/simulation", simulate),
      ] + pressRoutes + sessionRoutes + spoolRoutes
    var table = RouteTable()
    for (method, path, _) in routes { table.add(method, path) }
    let router = Router(context: APIContext.self)
    router.add(middleware: ErrorMiddleware(routes: table))
    for (method, path, handler) in routes {
      router.on(RouterPath(path), method: method) { request, context in
        try await handler(request, context)
      }
    }
    return router.buildResponder()
  }

  typealias Handler = @Sendable (Request, APIContext) async throws -> Response

  private func health(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(HealthReport(status: "ok", readiness: await service.status().readiness))
  }

  private func status(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.status())
  }

  private func simulate(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let command = try APICoding.decode(
      SimulationCommand.self, from: try await body(of: request, context))
    try await service.simulate(command)
    return try jsonResponse(SimulationReport(done: command))
  }

  private func events(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    // What is no ID of ours is taken as one of another run.
    let field = request.headers.first { $0.name.canonicalName == "last-event-id" }
    let lastEventID = field.map { EventID($0.value) ?? EventID(run: "", number: 0) }
    return eventStream(try feed.listen(after: lastEventID), request, context)
  }

  /// The parameter `limit`; 20 when it is left out.
  func limit(of request: Request, maximum: Int) throws(APIError) -> Int {
    guard let text = request.uri.queryParameters["limit"] else { return 20 }
    guard let number = Int(text), (1...maximum).contains(number) else {
      throw APIError(
        .invalidRequest, "The parameter \"limit\" must be a number from 1 to \(maximum).")
    }
    return number
  }

  func refuseQuery(of request: Request, except known: [String]) throws(APIError) {
    for (name, _) in request.uri.queryParameters where !known.contains(String(name)) {
      throw APIError(.invalidRequest, "The parameter \"\(name.prefix(40))\" is unknown here.")
    }
  }

  /// Refuses a body other than none or `{}`.
  func refuseBody(of request: Request, _ context: APIContext) async throws {
    let body = try await body(of: request, context)
    if !body.isEmpty { _ = try APICoding.decode(EmptyObject.self, from: body) }
  }

  /// The whole body; a connection that is still sending one when the service stops is closed.
  func body(of request: Request, _ context: APIContext) async throws -> [UInt8] {
    let channel = context.channel
    if request.headers[.expect]?.lowercased() == "100-continue" {
      // The framework does not say it, and libcurl waits a second for it.
      let go = HTTPResponsePart.head(HTTPResponse(status: .continue))
      try await channel.writeAndFlush(go)
    }
    do {
      return try await withGracefulShutdownHandler {
        Array(buffer: try await request.body.collect(upTo: maximumBodyBytes))
      } onGracefulShutdown: {
        channel.close(promise: nil)
      }
    } catch is NIOTooManyBytesError {
      // The rest is read and thrown away so that the answer is seen, but not for ever.
      channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
      throw APIError(
        .requestTooLarge, "The request's body is longer than \(maximumBodyBytes) bytes.")
    }
  }
}

/// The answer to `GET /healthz`.
public struct HealthReport: Sendable, Hashable, Codable {
  /// Always `ok`: the service answers.
  public let status: String
  /// Whether a press would be taken.
  public let readiness: ReadinessReport
}

/// The answer to `POST /v1/simulation`.
public struct SimulationReport: Sendable, Hashable, Codable {
  /// The command as it was understood and done.
  public let done: SimulationCommand
}
