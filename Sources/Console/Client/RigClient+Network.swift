public import API

extension RigClient {
  /// How the rig is connected, which takes some seconds.
  ///
  /// - Throws: ``RigClientError``.
  public func network() async throws(RigClientError) -> NetworkReport {
    try await get("/v1/network")
  }

  /// What the rig knows of the time.
  ///
  /// - Throws: ``RigClientError``.
  public func time() async throws(RigClientError) -> TimeReport {
    try await get("/v1/time")
  }
}
