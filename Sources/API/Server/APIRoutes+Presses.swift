import Hummingbird

/// The paths below `/v1/presses`.
extension APIRoutes {
  var pressRoutes: [Route] {
    [
      Route(.get, "/v1/presses", .read, presses),
      Route(.post, "/v1/presses", .act, entered: .beside, shoot),
      // Before the number, which would take any word.
      Route(.get, "/v1/presses/counts", .read, pressCounts),
      Route(.get, "/v1/presses/lost-edges", .read, lostEdges),
      Route(.get, "/v1/presses/{number}", .read, press),
    ]
  }

  private func presses(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: PressFilter.parameters)
    let parameters = request.uri.queryParameters
    var filter = try PressFilter { name in parameters[name[...]].map(String.init) }
    filter.limit = try limit(of: request, maximum: PressFilter.maximumLimit)
    return try jsonResponse(await service.presses(filter))
  }

  private func press(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let text = context.parameters.get("number") ?? ""
    guard let number = Int64(text), number > 0 else {
      throw APIError(.invalidRequest, "A press's number must be a whole number above 0.")
    }
    guard let report = try await service.press(number: number) else {
      throw APIError(.notFound, "The press \(number) is unknown or no longer remembered.")
    }
    return try jsonResponse(report)
  }

  private func pressCounts(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.pressCounts())
  }

  private func lostEdges(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: ["limit"])
    let limit = try self.limit(of: request, maximum: PressFilter.maximumLimit)
    return try jsonResponse(await service.lostEdges(limit: limit))
  }

  private func shoot(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let body = try await body(of: request, context)
    let settings =
      body.isEmpty ? PressSettings() : try APICoding.decode(PressSettings.self, from: body)
    let report = try await service.shoot(settings)
    return try jsonResponse(report, status: report.outcome == .refused ? 409 : 200)
  }
}
