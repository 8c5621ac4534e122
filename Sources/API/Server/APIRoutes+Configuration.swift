import Hummingbird

/// The paths below `/v1/configuration`.
extension APIRoutes {
  var configurationRoutes: [Route] {
    [
      Route(.get, "/v1/configuration", .read, configurationFile),
      Route(.patch, "/v1/configuration", .act, changeConfiguration),
      Route(.get, "/v1/configuration/history", .read, configurationHistory),
      Route(.get, "/v1/configuration/history/{number}", .read, configurationDifference),
      Route(.post, "/v1/configuration/check", .read, checkConfiguration),
      Route(.post, "/v1/configuration/rollback", .act, rollBackConfiguration),
    ]
  }

  private func configurationFile(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.configurationFile())
  }

  private func configurationHistory(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.configurationHistory())
  }

  private func configurationDifference(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let text = context.parameters.get("number") ?? ""
    guard let number = Int(text), number >= 0 else {
      throw APIError(
        .invalidRequest, "The number of an earlier text is 0 or more, not \"\(text.prefix(40))\".")
    }
    return try jsonResponse(await service.configurationDifference(from: number))
  }

  /// The body is the YAML as a JSON string.
  private func checkConfiguration(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let text = try APICoding.decode(String.self, from: try await body(of: request, context))
    return try jsonResponse(await service.checkConfiguration(text))
  }

  private func changeConfiguration(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let change = try APICoding.decode(
      ConfigurationChange.self, from: try await body(of: request, context))
    return try jsonResponse(await service.changeConfiguration(change))
  }

  private func rollBackConfiguration(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let body = try await body(of: request, context)
    let wish =
      body.isEmpty
      ? ConfigurationRollback() : try APICoding.decode(ConfigurationRollback.self, from: body)
    return try jsonResponse(await service.rollBackConfiguration(wish))
  }
}
