import Hummingbird

/// The paths below `/v1/session`.
extension APIRoutes {
  var sessionRoutes: [Route] {
    [
      Route(.get, "/v1/session", .read, session),
      Route(.patch, "/v1/session", .act, configureSession),
      Route(.get, "/v1/session/interruptions", .read, interruptions),
      Route(.post, "/v1/session/stop", .act, act { await $0.stopSession() }),
      Route(.post, "/v1/session/resume", .act, act { await $0.resumeSession() }),
      Route(
        .post, "/v1/session/switch-camera", .act,
        act { (service) async throws(APIError) in try await service.switchCamera() }
      ),
      Route(
        .post, "/v1/session/focus", .act,
        act { (service) async throws(APIError) in try await service.focusCamera() }
      ),
      Route(
        .post, "/v1/session/calibrate", .act,
        act { (service) async throws(APIError) in try await service.calibrateCamera() }
      ),
      Route(.post, "/v1/session/scale", .act, measureScale),
      Route(
        .delete, "/v1/session/calibration", .act,
        act { (service) async throws(APIError) in try await service.forgetCalibration() }
      ),
    ]
  }

  private func session(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.session())
  }

  private func configureSession(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let change = try APICoding.decode(
      SessionChange.self, from: try await body(of: request, context))
    return try jsonResponse(await service.configureSession(change))
  }

  private func measureScale(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let sheet = try APICoding.decode(ScaleRequest.self, from: try await body(of: request, context))
    return try jsonResponse(await service.measureScale(sheet))
  }

  private func interruptions(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.interruptions())
  }

  /// A handler that does something without a body and answers with a value.
  private func act<Answer: Encodable & Sendable>(
    _ action: @escaping @Sendable (any RigService) async throws(APIError) -> Answer
  ) -> Handler {
    { request, context in
      try refuseQuery(of: request, except: [])
      try await refuseBody(of: request, context)
      return try jsonResponse(await action(service))
    }
  }
}
