/// What the API needs of a rig; the assembly of the service implements it.
public protocol RigService: SpoolService {
  /// Everything that the rig says of itself now.
  func status() async -> RigStatus

  /// Presses the shutter and waits until the press has its outcome.
  ///
  /// A refusal is a report with its reason, not an error.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``, when no press can be numbered.
  func shoot() async throws(APIError) -> PressReport

  /// The last presses, the newest first.
  ///
  /// - Parameter limit: the most presses to return, 1 or more.
  func presses(limit: Int) async -> [PressReport]

  /// One press by its number; `nil` when it is unknown or no longer remembered.
  func press(number: Int64) async -> PressReport?

  /// What changes from now on, numbered without gaps; keeps the newest when the reader is slow.
  ///
  /// The API server calls this once a run. The stream ends when the rig does.
  func events() async -> AsyncStream<RigEvent>

  /// Does something to the simulated world.
  ///
  /// - Throws: ``APIError``: ``APIError/Code/notSimulated`` on a real board,
  ///   ``APIError/Code/invalidRequest`` for what the simulated world does not have.
  func simulate(_ command: SimulationCommand) async throws(APIError)
}
