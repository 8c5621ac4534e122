import Hummingbird

/// The paths `/v1/network` and `/v1/time`.
extension APIRoutes {
  var networkRoutes: [Route] {
    [
      Route(.get, "/v1/network", .read, network),
      Route(.get, "/v1/time", .read, time),
    ]
  }

  private func network(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.network())
  }

  private func time(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.time())
  }
}
