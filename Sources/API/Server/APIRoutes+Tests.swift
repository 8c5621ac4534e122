import Hummingbird
import ServiceLifecycle

/// The paths below `/v1/tests` and `/v1/targets`.
extension APIRoutes {
  var testRoutes: [Route] {
    [
      Route(
        .post, "/v1/tests/button", .act,
        test { (service, wish: ButtonTestRequest) async throws(APIError) in
          try await service.testButton(wish)
        }),
      Route(
        .post, "/v1/tests/light", .act,
        test { (service, wish: LightTestRequest) async throws(APIError) in
          try await service.testLight(wish)
        }),
      Route(
        .post, "/v1/tests/accelerometer", .act,
        test { (service, wish: AccelerometerTestRequest) async throws(APIError) in
          try await service.testAccelerometer(wish)
        }),
      Route(
        .post, "/v1/tests/storage", .act,
        test { (service, wish: StorageTestRequest) async throws(APIError) in
          try await service.testStorage(wish)
        }),
      Route(.post, "/v1/targets/retry", .act, retryTargets),
      Route(.post, "/v1/targets/pause", .act, pauseUploads),
      Route(.post, "/v1/targets/resume", .act, resumeUploads),
    ]
  }

  /// A handler of a test, which is cancelled when whoever asked for it has gone or the service stops.
  private func test<Wish: Decodable & Sendable, Answer: Encodable & Sendable>(
    _ work: @escaping @Sendable (any RigService, Wish) async throws(APIError) -> Answer
  ) -> Handler {
    { request, context in
      try refuseQuery(of: request, except: [])
      try await goAhead(request, context)
      var isRead = false
      do {
        let answer = try await request.body.consumeWithCancellationOnInboundClose { body in
          let bytes = try await collect(body, context)
          isRead = true
          let wish = try APICoding.decode(Wish.self, from: bytes.isEmpty ? Array("{}".utf8) : bytes)
          return try await cancelWhenGracefulShutdown { try await work(service, wish) }
        }
        return try jsonResponse(answer)
      } catch is CancellationError where !isRead && !Task.isCancelled {
        // The framework takes a body that is none for a client that has gone.
        throw unreadableBody(context)
      }
    }
  }

  private func retryTargets(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let body = try await body(of: request, context)
    let wish =
      body.isEmpty
      ? TargetRetryRequest() : try APICoding.decode(TargetRetryRequest.self, from: body)
    return try jsonResponse(await service.retryTargets(wish.target))
  }

  private func pauseUploads(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    try await refuseBody(of: request, context)
    return try jsonResponse(await service.setUploadsPaused(true))
  }

  private func resumeUploads(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    try await refuseBody(of: request, context)
    return try jsonResponse(await service.setUploadsPaused(false))
  }
}
