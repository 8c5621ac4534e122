import Hummingbird

/// The paths of the service's log.
extension APIRoutes {
  var logRoutes: [Route] {
    [
      Route(.get, "/v1/log", .read, log),
      Route(.get, "/v1/log/events", .read, isStream: true, logEvents),
    ]
  }

  private func log(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: LogFilter.parameters)
    var filter = try filter(of: request)
    filter.limit = try limit(of: request, maximum: LogFilter.maximumLimit)
    return try jsonResponse(
      LogEntryList(run: logFeed.run, entries: await logSource.entries(filter)))
  }

  private func logEvents(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: LogFilter.streamParameters)
    let filter = try filter(of: request)
    let listener = try logFeed.listen(after: lastEventID(of: request), as: context.caller)
    return eventStream(listener, run: logFeed.run, request, context) { filter.matches($0) }
  }

  private func filter(of request: Request) throws(APIError) -> LogFilter {
    let parameters = request.uri.queryParameters
    return try LogFilter { name in parameters[name[...]].map(String.init) }
  }
}
