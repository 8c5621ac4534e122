public import API
import Transfer

extension RigClient {
  /// The configuration file as it lies on the disk.
  ///
  /// - Throws: ``RigClientError``.
  public func configurationFile() async throws(RigClientError) -> ConfigurationReport {
    try await get("/v1/configuration")
  }

  /// The earlier texts of the file.
  ///
  /// - Throws: ``RigClientError``.
  public func configurationHistory() async throws(RigClientError) -> ConfigurationHistory {
    try await get("/v1/configuration/history")
  }

  /// What a return to an earlier text would change.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `notFound`.
  public func configurationDifference(
    from number: Int
  ) async throws(RigClientError) -> ConfigurationDifference {
    try await get("/v1/configuration/history/\(number)")
  }

  /// What is wrong in a text.
  ///
  /// - Throws: ``RigClientError``.
  public func checkConfiguration(
    _ text: String
  ) async throws(RigClientError) -> ConfigurationCheckReport {
    try await post("/v1/configuration/check", text)
  }

  /// Sets keys, all or none.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `configurationChanged` or `invalidRequest`.
  public func changeConfiguration(
    _ change: ConfigurationChange
  ) async throws(RigClientError) -> ConfigurationChangeReport {
    var request = request("PATCH", "/v1/configuration")
    try encode(change, into: &request)
    return try await answer(to: request, accepting: [200])
  }

  /// Brings an earlier text back.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `notFound` or `configurationChanged`.
  public func rollBackConfiguration(
    _ rollback: ConfigurationRollback
  ) async throws(RigClientError) -> ConfigurationChangeReport {
    try await post("/v1/configuration/rollback", rollback)
  }
}
