public import API

extension RigClient {
  /// Ends the service in order, or with it the machine.
  ///
  /// - Parameter rig: the rig's name, which confirms that this one is meant.
  /// - Throws: ``RigClientError``, `refused` when the rig or its systemd does not allow it.
  public func end(
    _ ending: EndingReport.Ending, confirming rig: String
  ) async throws(RigClientError) -> EndingReport {
    let path =
      switch ending {
      case .serviceRestart: "/v1/service/restart"
      case .machineRestart: "/v1/machine/restart"
      case .powerOff: "/v1/machine/power-off"
      }
    return try await post("\(path)?confirm=\(encoded(rig))", stallTimeout: .seconds(25))
  }

  /// Who has done what over the API, the newest first; asking is an act, and entered as well.
  ///
  /// - Parameter limit: the most entries to return, 1...1000.
  /// - Throws: ``RigClientError``.
  public func audit(limit: Int) async throws(RigClientError) -> [AuditEntry] {
    let list: AuditEntryList = try await get("/v1/audit?limit=\(limit)")
    return list.entries
  }
}
