/// A rig behind the API; the assembly of the service implements it.
///
/// An error of an operation is an ``APIError``: `unsupported` for an ability that the device does not have,
/// `timedOut` when the device did not answer in time, `conflict` for a state that forbids the work,
/// `unavailable` while the part is starting, stopping or broken.
package protocol RigService: Sendable {
  /// The work of the rig's operations.
  var operations: OperationHandlers { get }

  /// Returns the status of the whole rig.
  func status() async -> RigStatus

  /// Returns a picture of the spool.
  ///
  /// - Throws: ``APIError``: ``APIError/Code/notFound``, ``APIError/Code/unavailable``.
  func spoolItem(_ item: SpoolItemReference) async throws(APIError) -> SpoolItemReport

  /// Returns changes from now on, numbered without gaps; keeps the newest for a slow reader.
  ///
  /// The API server calls this method once a run. The stream ends when the rig does.
  func events() async -> AsyncStream<RigEvent>
}
