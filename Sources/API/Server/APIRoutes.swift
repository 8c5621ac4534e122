import Devices
import Hummingbird
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle

/// The paths of the API and their handlers.
struct APIRoutes: Sendable {
  let service: any RigService
  let feed: EventFeed<RigEvent>
  let logSource: any LogSource
  let logFeed: EventFeed<LogEntry>
  let auditLog: any AuditLog
  let maximumBodyBytes: Int
  /// The places of viewers of the preview.
  var previewPlaces = PreviewPlaces(maximum: 0)
  /// The time that an answer without an end has at the shutdown to write what waits.
  var streamGrace = Duration.milliseconds(300)
  /// The clock that limits the wait for a viewer's first picture.
  var clock: any MonotonicClock = SystemMonotonicClock()
  /// The policy that answers what a caller may do.
  var access = CurrentAccessPolicy(AccessPolicy())
  /// The guard of the network; `nil` for a server without one.
  var network: NetworkGuard?
  /// The recorder of refused sign-ins; `nil` to enter none.
  var recorder: ActRecorder?
  let counter = RequestCounter()

  /// Builds the responder to requests that a gate admits.
  ///
  /// - Parameter routes: the value of ``routes``, which the gate has, too.
  func makeResponder(_ routes: [Route], gate: AccessGate) -> RouterResponder<APIContext> {
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

  /// All routes of the API, a fixed part of a path before one that takes any word.
  ///
  /// They are made anew each time.
  var routes: [Route] { described.flatMap { [$0, $0.head].compactMap { $0 } } }

  /// The routes of the declared operations.
  var described: [Route] {
    let all =
      operations.all.map(route) + [
        Route(Operations.events, isStream: true, events),
        Route(Operations.logEvents, isStream: true, logEvents),
        Route(Operations.metrics, metrics), Route(Operations.spoolImage, spoolImage),
        Route(Operations.spoolThumbnail, spoolThumbnail),
        Route(Operations.previewStream, isStream: true, previewStream),
        Route(Operations.loupe, loupe), Route(Operations.signIn, signIn),
        Route(Operations.signedIn.operation, signedIn), Route(Operations.signOut, signOut),
      ]
    return all.filter { !$0.path.contains("{") } + all.filter { $0.path.contains("{") }
  }

  /// The work of all operations: the rig's and the server's own.
  var operations: OperationHandlers {
    var operations = service.operations
    let (service, auditLog, logSource, run) = (service, auditLog, logSource, logFeed.run)
    operations.on(Operations.health) {
      HealthReport(status: "ok", readiness: await service.status().readiness)
    }
    operations.on(Operations.spoolItem) { try await item($0.id) }
    for ending in EndingReport.Ending.allCases {
      operations.on(ending.operation) { confirmation in
        try confirmation.check(await service.status().rig)
        return try await service.end(ending)
      }
    }
    operations.on(Operations.audit) {
      AuditEntryList(entries: try await auditLog.entries(limit: $0.limit))
    }
    operations.on(Operations.log) {
      LogEntryList(run: run, entries: await logSource.entries($0))
    }
    return operations
  }

  /// Returns a picture of the spool.
  ///
  /// - Throws: ``APIError``: ``APIError/Code/notFound``, ``APIError/Code/unavailable``.
  func item(_ id: String) async throws(APIError) -> SpoolItemReport {
    if let item = try await service.spoolItem(id: id) { return item }
    throw APIError(.notFound, "The spool has no picture \"\(id)\".")
  }

  typealias Handler = @Sendable (Request, APIContext) async throws -> Response

  /// An operation with its handler.
  struct Route: Sendable {
    let operation: Operation
    let method: HTTPRequest.Method
    /// Whether the answer has no end.
    let isStream: Bool
    /// The moment by which an act must be entered into the audit log.
    let order: ActRecorder.Order
    let handler: Handler

    init(
      _ operation: Operation, isStream: Bool = false, entered order: ActRecorder.Order = .before,
      _ handler: @escaping Handler
    ) {
      self.init(
        operation, HTTPRequest.Method(operation.method), isStream: isStream, entered: order, handler
      )
    }

    private init(
      _ operation: Operation, _ method: HTTPRequest.Method, isStream: Bool,
      entered order: ActRecorder.Order, _ handler: @escaping Handler
    ) {
      self.operation = operation
      self.method = method
      self.isStream = isStream
      self.order = order
      self.handler = handler
    }

    /// The path, in which `{name}` stands for any one part.
    var path: String { operation.path }
    /// The permission that a caller needs; `nil` for unknown callers, too.
    var permission: Permission? { operation.permission }

    /// The route that answers HEAD as this route answers GET; `nil` for another method and a stream.
    ///
    /// RFC 9110, 9.3.2. ``ErrorMiddleware`` removes the body.
    var head: Route? {
      guard method == .get, !isStream else { return nil }
      return Route(operation, .head, isStream: false, entered: order, handler)
    }
  }

  private func route(_ handler: OperationHandlers.Handler) -> Route {
    Route(handler.operation, entered: handler.order) { request, context in
      var input = EndpointRequest(parameters: try parameters(handler.operation, request, context))
      if handler.isCancellable { return try await answer(handler, input, request, context) }
      if handler.operation.method != .get { input.body = try await body(of: request, context) }
      let outcome = try await handler.run(input)
      return try jsonResponse(outcome.answer, status: outcome.status)
    }
  }

  /// Answers an operation that is canceled when the caller has gone or the service stops.
  private func answer(
    _ handler: OperationHandlers.Handler, _ input: EndpointRequest, _ request: Request,
    _ context: APIContext
  ) async throws -> Response {
    try await goAhead(request, context)
    var isRead = false
    do {
      let outcome = try await request.body.consumeWithCancellationOnInboundClose { body in
        var input = input
        input.body = try await collect(body, context)
        isRead = true
        return try await cancelWhenGracefulShutdown { [input] in try await handler.run(input) }
      }
      return try jsonResponse(outcome.answer, status: outcome.status)
    } catch is CancellationError where !isRead && !Task.isCancelled {
      // The framework takes a malformed body for a client that has gone.
      throw unreadableBody(context)
    }
  }

  /// Returns the parameters of path and query.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, for an unknown parameter.
  func parameters(
    _ operation: Operation, _ request: Request, _ context: APIContext
  ) throws(APIError) -> [String: String] {
    let known = Set(operation.parameters.map(\.name))
    var parameters: [String: String] = [:]
    for (name, value) in request.uri.queryParameters {
      let name = String(name)
      guard known.contains(name), !operation.path.contains("{\(name)}") else {
        throw APIError(.invalidRequest, "The parameter \"\(name.prefix(40))\" is unknown here.")
      }
      guard parameters.updateValue(String(value), forKey: name) == nil else {
        throw APIError(.invalidRequest, "The parameter \"\(name)\" is there twice.")
      }
    }
    for name in known where operation.path.contains("{\(name)}") {
      parameters[name] = context.parameters.get(name)
    }
    return parameters
  }
}

extension HTTPRequest.Method {
  fileprivate init(_ method: Operation.Method) {
    self =
      switch method {
      case .get: .get
      case .post: .post
      case .patch: .patch
      case .delete: .delete
      }
  }
}
