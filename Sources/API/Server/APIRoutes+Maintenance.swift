import Hummingbird

/// The paths that end the service or the machine.
extension APIRoutes {
  var maintenanceRoutes: [Route] {
    [
      Route(.post, "/v1/service/restart", .act, end(.serviceRestart)),
      Route(.post, "/v1/machine/restart", .act, end(.machineRestart)),
      Route(.post, "/v1/machine/power-off", .act, end(.powerOff)),
    ]
  }

  /// Ends something when `confirm` is the rig's name: nobody ends the rig beside the one that is
  /// meant, and no program that tries everything ends any.
  private func end(_ ending: EndingReport.Ending) -> Handler {
    { request, context in
      try refuseQuery(of: request, except: ["confirm"])
      try await refuseBody(of: request, context)
      let name = request.uri.queryParameters["confirm"].map(String.init) ?? ""
      let rig = await service.status().rig
      guard name == rig else {
        throw APIError(
          .invalidRequest,
          "The parameter \"confirm\" must be the rig's name \"\(rig)\", "
            + "not \"\(name.prefix(40))\"; nothing was done.")
      }
      return try jsonResponse(await service.end(ending))
    }
  }
}
