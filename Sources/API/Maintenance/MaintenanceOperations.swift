extension Operations {
  private static let failures: [APIError.Code] = [
    .unsupported, .conflict, .unavailable, .timedOut,
  ]
  private static let timeout = Duration.seconds(25)

  /// A restart of the service.
  package static let restartService = Endpoint<EndingConfirmation, EndingReport>(
    "restartService", .post, "/v1/service/restart", .act,
    "Ends the service in order; systemd restarts it.", failures: failures, stallTimeout: timeout)

  /// A reboot of the machine.
  package static let restartMachine = Endpoint<EndingConfirmation, EndingReport>(
    "restartMachine", .post, "/v1/machine/restart", .act,
    "Ends the service in order, then reboots the machine.", failures: failures,
    stallTimeout: timeout)

  /// A power-off of the machine.
  package static let powerOffMachine = Endpoint<EndingConfirmation, EndingReport>(
    "powerOffMachine", .post, "/v1/machine/power-off", .act,
    "Ends the service in order, then powers the machine off.", failures: failures,
    stallTimeout: timeout)
}

extension EndingReport.Ending {
  /// The operation that begins this end.
  package var operation: Endpoint<EndingConfirmation, EndingReport> {
    switch self {
    case .serviceRestart: Operations.restartService
    case .machineRestart: Operations.restartMachine
    case .powerOff: Operations.powerOffMachine
    }
  }
}

/// The name of the rig that is to end, which protects another rig and any rig from a blind try.
package struct EndingConfirmation: EndpointInput {
  private static let confirm = EndpointParameter<String>.text(
    "confirm", length: 1...64, "The name of the rig.")

  /// The name.
  package var name: String

  package init(_ name: String) { self.name = name }

  package static var parameters: [ParameterDescription] { [confirm.described(isRequired: true)] }
  package static var body: BodyDescription? { NoInput.body }

  package init(_ request: EndpointRequest) throws(APIError) {
    try request.refuseBody()
    name = request.parameters[Self.confirm.name] ?? ""
  }

  package func write(to request: inout EndpointRequest) { request.set(Self.confirm, name) }

  /// Refuses the name of another rig.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``.
  package func check(_ rig: String) throws(APIError) {
    guard name != rig else { return }
    throw APIError(
      .invalidRequest,
      "The parameter \"confirm\" must be the rig's name \"\(rig)\", not \"\(name.prefix(40))\"; "
        + "nothing was done.")
  }
}
