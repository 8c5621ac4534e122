import Hummingbird

/// The paths `/v1/preview` and `/v1/accelerometer`.
extension APIRoutes {
  var alignmentRoutes: [Route] {
    [
      // A preview shows what lies on the rig, whether somebody has pressed or not. Who may look at a
      // rig may read its pictures as they are stored, which show far more, so that looking is enough;
      // and an act is entered into the audit log each time, which several pictures a second would
      // flood and wear the disk with.
      Route(.get, "/v1/preview", .read, preview),
      Route(.get, "/v1/accelerometer", .read, accelerometer),
    ]
  }

  private func preview(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: PreviewWish.parameters)
    let parameters = request.uri.queryParameters
    let wish = try PreviewWish { name in parameters[name[...]].map(String.init) }
    return try jsonResponse(await service.preview(wish))
  }

  private func accelerometer(
    _ request: Request, _ context: APIContext
  ) async throws -> Response {
    try refuseQuery(of: request, except: [])
    return try jsonResponse(await service.accelerometer())
  }
}
