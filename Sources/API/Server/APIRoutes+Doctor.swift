import Hummingbird

/// The path `/v1/doctor`.
extension APIRoutes {
  var doctorRoutes: [Route] { [Route(.get, "/v1/doctor", .read, examine)] }

  private func examine(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: ["part"])
    return try jsonResponse(await service.examine(try parts(of: request)))
  }

  /// The parameter `part`; all parts when it is left out.
  private func parts(of request: Request) throws(APIError) -> [DoctorPart] {
    guard let name = request.uri.queryParameters["part"].map(String.init) else {
      return DoctorPart.allCases
    }
    guard let part = DoctorPart(rawValue: name) else {
      let names = DoctorPart.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError(
        .invalidRequest,
        "The parameter \"part\" must be one of \(names), not \"\(name.prefix(40))\".")
    }
    return [part]
  }
}
