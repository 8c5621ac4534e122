import Hummingbird
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle

/// The paths of the API and what each does.
struct APIRoutes: Sendable {
  let service: any RigService
  let feed: EventFeed<RigEvent>
  let logSource: any LogSource
  let logFeed: EventFeed<LogEntry>
  let auditLog: any AuditLog
  let maximumBodyBytes: Int
  let counter = RequestCounter()

  /// Builds what answers requests that a gate lets through.
  func makeResponder(gate: AccessGate) -> RouterResponder<APIContext> {
    var table = RouteTable()
    for route in routes { table.add(route.method, route.path) }
    let router = Router(context: APIContext.self)
    router.add(middleware: counter)
    router.add(middleware: ErrorMiddleware(routes: table))
    router.add(middleware: gate)
    for route in routes {
      router.on(RouterPath(route.path), method: route.method) { request, context in
        try await route.handler(request, context)
      }
    }
    return router.buildResponder()
  }

  /// All paths of the API, a fixed part of a path before one that takes any word.
  var routes: [Route] { described.flatMap { [$0, $0.head].compactMap { $0 } } }

  /// The paths that ``openapi.yaml`` describes.
  var described: [Route] {
    [
      Route(.get, "/healthz", .read, health),
      Route(.get, "/v1/status", .read, status),
      Route(.get, "/v1/events", .read, isStream: true, events),
      Route(.post, "/v1/simulation", .act, simulate),
    ] + pressRoutes + sessionRoutes + spoolRoutes + auditRoutes + metricsRoutes + doctorRoutes
      + configurationRoutes + networkRoutes + logRoutes + alignmentRoutes + maintenanceRoutes
      + testRoutes
  }

  typealias Handler = @Sendable (Request, APIContext) async throws -> Response

  /// One method of one path: what it takes, and what does it.
  struct Route: Sendable {
    let method: HTTPRequest.Method
    /// The path, in which `{name}` stands for any one part.
    let path: String
    /// What a caller must be allowed.
    let permission: Permission
    /// Whether the answer has no end.
    let isStream: Bool
    /// When an act has to be entered into the audit log.
    let order: ActRecorder.Order
    let handler: Handler

    init(
      _ method: HTTPRequest.Method, _ path: String, _ permission: Permission,
      isStream: Bool = false, entered order: ActRecorder.Order = .before,
      _ handler: @escaping Handler
    ) {
      self.isStream = isStream
      self.method = method
      self.path = path
      self.permission = permission
      self.order = order
      self.handler = handler
    }

    /// The route that answers HEAD as this one answers GET; `nil` for what is no GET or has no end.
    ///
    /// RFC 9110, 9.3.2. ``ErrorMiddleware`` takes the body away.
    var head: Route? {
      guard method == .get, !isStream else { return nil }
      return Route(.head, path, permission, handler)
    }
  }

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
    let listener = try feed.listen(after: lastEventID(of: request), as: context.caller)
    return eventStream(listener, run: feed.run, request, context)
  }

  /// The last event that a listener saw; what is no ID of ours is taken as one of another run.
  func lastEventID(of request: Request) -> EventID? {
    let field = request.headers.first { $0.name.canonicalName == "last-event-id" }
    return field.map { EventID($0.value) ?? EventID(run: "", number: 0) }
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
  ///
  /// - Throws: ``APIError``: `requestTooLarge`, or `invalidRequest` for a body that is none or
  ///   breaks off; `CancellationError`.
  func body(of request: Request, _ context: APIContext) async throws -> [UInt8] {
    try await goAhead(request, context)
    return try await collect(request.body, context)
  }

  /// Collects a body; see ``body(of:_:)``.
  func collect(_ body: RequestBody, _ context: APIContext) async throws -> [UInt8] {
    let channel = context.channel
    do {
      let buffer = try await withGracefulShutdownHandler {
        try await body.collect(upTo: maximumBodyBytes)
      } onGracefulShutdown: {
        channel.close(promise: nil)
      }
      return Array(buffer: buffer)
    } catch is NIOTooManyBytesError {
      // The rest is read and thrown away so that the answer is seen, but not for ever.
      closeSoon(channel)
      throw APIError(
        .requestTooLarge, "The request's body is longer than \(maximumBodyBytes) bytes.")
    } catch let error as CancellationError {
      throw error
    } catch {
      throw unreadableBody(context)
    }
  }

  /// What is answered for a body that is none or breaks off.
  func unreadableBody(_ context: APIContext) -> APIError {
    // Where it ends nobody knows then, nor where another request begins.
    closeSoon(context.channel)
    return APIError(.invalidRequest, "The request's body cannot be read.")
  }

  /// Lets a client send its body that asks before it does.
  func goAhead(_ request: Request, _ context: APIContext) async throws {
    guard request.headers[.expect]?.lowercased() == "100-continue" else { return }
    // The framework does not say it, and libcurl waits a second for it.
    let go = HTTPResponsePart.head(HTTPResponse(status: .continue))
    try await context.channel.writeAndFlush(go)
  }

  /// Closes a connection once its last answer has had the time to be seen.
  private func closeSoon(_ channel: any Channel) {
    channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
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
