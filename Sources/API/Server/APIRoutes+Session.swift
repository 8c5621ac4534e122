import Hummingbird

/// The paths below `/v1/session`.
extension APIRoutes {
  var sessionRoutes: [(HTTPRequest.Method, String, Handler)] {
    [
      (.get, "/v1/session", session),
      (.patch, "/v1/session", configureSession),
      (.get, "/v1/session/interruptions", interruptions),
      (.post, "/v1/session/stop", act { await $0.stopSession() }),
      (.post, "/v1/session/resume", act { await $0.resumeSession() }),
      (
        .post, "/v1/session/switch-camera",
        act { (service) async throws(APIError) in try await service.switchCamera() }
      ),
      (
        .post, "/v1/session/focus",
        act { (service) async throws(APIError) in try await service.focusCamera() }
      ),
      (
        .post, "/v1/session/calibrate",
        act { (service) async throws(APIError) in try await service.calibrateCamera() }
      ),
      (
        .delete, "/v1/session/calibration",
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
