/// What the API needs of a rig's configuration file.
///
/// What is written holds from the next start of the service. Secrets are references to files in it,
/// and what may be a secret all the same is masked in every answer.
public protocol ConfigurationFileService: Sendable {
  /// The file as it lies on the disk.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable`` when it cannot be read.
  func configurationFile() async throws(APIError) -> ConfigurationReport

  /// The earlier texts of the file.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``.
  func configurationHistory() async throws(APIError) -> ConfigurationHistory

  /// What a return to an earlier text would change.
  ///
  /// - Parameter number: the text's number, 0 for the last good one.
  /// - Throws: ``APIError``: ``APIError/Code/notFound``, ``APIError/Code/unavailable``.
  func configurationDifference(
    from number: Int
  ) async throws(APIError) -> ConfigurationDifference

  /// What is wrong in a text; nothing is written.
  func checkConfiguration(_ text: String) async -> ConfigurationCheckReport

  /// Sets keys in the file, all of them or none; comments and order stay.
  ///
  /// - Throws: ``APIError``: ``APIError/Code/configurationChanged`` when the file is not the one
  ///   that was meant, ``APIError/Code/invalidRequest`` for what cannot be set or would make the file
  ///   unusable, ``APIError/Code/unavailable`` when it cannot be read or written.
  func changeConfiguration(
    _ change: ConfigurationChange
  ) async throws(APIError) -> ConfigurationChangeReport

  /// Brings an earlier text back; the one that is replaced goes into the history.
  ///
  /// - Throws: ``APIError`` as ``changeConfiguration(_:)``, and ``APIError/Code/notFound``.
  func rollBackConfiguration(
    _ rollback: ConfigurationRollback
  ) async throws(APIError) -> ConfigurationChangeReport
}
