import Hummingbird
import NIOCore

/// The paths below `/v1/spool`.
extension APIRoutes {
  /// The most pictures that one answer lists.
  static let maximumItems = 1000

  var spoolRoutes: [Route] {
    [
      Route(.get, "/v1/spool", .read, spoolStatistics),
      Route(.get, "/v1/spool/items", .read, spoolItems),
      Route(.get, "/v1/spool/items/{id}", .read, spoolItem),
      Route(.delete, "/v1/spool/items/{id}", .act, deleteSpoolItem),
      Route(.get, "/v1/spool/items/{id}/image", .read, spoolImage),
      Route(.post, "/v1/spool/items/{id}/retry", .act, retrySpoolItem),
      Route(.delete, "/v1/spool/quarantine", .act, deleteQuarantined),
      Route(.post, "/v1/spool/retry", .act, retryParked),
      Route(.get, "/v1/spool/verify", .read, spoolVerificationProgress),
      Route(.post, "/v1/spool/verify", .act, verifySpool),
    ]
  }

  private func spoolStatistics(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.spoolStatistics())
  }

  private func spoolItems(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: ["state", "limit", "before"])
    let parameters = request.uri.queryParameters
    let limit = try self.limit(of: request, maximum: Self.maximumItems)
    let list = try await service.spoolItems(
      state: parameters["state"].map(String.init), limit: limit,
      before: parameters["before"].map(String.init))
    return try jsonResponse(list)
  }

  private func spoolItem(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await item(of: context))
  }

  private func spoolImage(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let item = try await item(of: context)
    let body: ResponseBody
    do {
      body = try await FileIO().loadFile(path: item.path, context: context)
    } catch {
      throw APIError(
        .notFound, "The picture \"\(item.id)\" has no file; it is \(item.state).")
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: item.mediaType ?? "application/octet-stream", .cacheControl: "no-store",
      ], body: body)
  }

  private func retrySpoolItem(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    try await refuseBody(of: request, context)
    return try jsonResponse(await service.retrySpoolItem(id: itemID(of: context)))
  }

  private func retryParked(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    try await refuseBody(of: request, context)
    return try jsonResponse(await service.retryParkedSpoolItems())
  }

  private func spoolVerificationProgress(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.spoolVerificationProgress())
  }

  private func verifySpool(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let body = try await body(of: request, context)
    let wish =
      body.isEmpty
      ? SpoolVerificationRequest(repair: false)
      : try APICoding.decode(SpoolVerificationRequest.self, from: body)
    return try jsonResponse(await service.verifySpool(repair: wish.repair))
  }

  /// Deletes only when the ID is said twice, so that no slip of the hand does it.
  private func deleteSpoolItem(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: ["confirm"])
    let id = itemID(of: context)
    guard request.uri.queryParameters["confirm"].map(String.init) == id else {
      throw APIError(
        .invalidRequest,
        "Deleting \"\(id)\" must be confirmed: the parameter \"confirm\" has to be the same ID.")
    }
    try await service.deleteSpoolItem(id: id)
    return try jsonResponse(DeletionReport(deleted: id))
  }

  /// Empties the quarantine only when that is said twice, so that no slip of the hand does it.
  private func deleteQuarantined(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: ["confirm"])
    guard request.uri.queryParameters["confirm"] == "quarantine" else {
      throw APIError(
        .invalidRequest,
        "Emptying the quarantine must be confirmed: the parameter \"confirm\" has to be "
          + "\"quarantine\".")
    }
    return try jsonResponse(await service.deleteQuarantinedSpoolItems())
  }

  private func itemID(of context: APIContext) -> String {
    String((context.parameters.get("id") ?? "").prefix(80))
  }

  private func item(of context: APIContext) async throws -> SpoolItemReport {
    let id = itemID(of: context)
    guard let item = try await service.spoolItem(id: id) else {
      throw APIError(.notFound, "The spool has no picture \"\(id)\".")
    }
    return item
  }
}

/// The answer to `DELETE /v1/spool/quarantine`.
public struct QuarantineDeletionReport: Sendable, Hashable, Codable {
  /// How many pictures are gone.
  public let deleted: Int

  /// Makes a report.
  public init(deleted: Int) { self.deleted = deleted }
}

/// The answer to `DELETE /v1/spool/items/{id}`.
public struct DeletionReport: Sendable, Hashable, Codable {
  /// The picture that is gone.
  public let deleted: String
}
