/// What the API needs of a rig; the assembly of the service implements it.
public protocol RigService:
  SpoolService, CaptureSessionService, DoctorService, ConfigurationFileService, NetworkService,
  AlignmentService, MaintenanceService, TestService, TargetService
{
  /// Everything that the rig says of itself now.
  func status() async -> RigStatus

  /// Presses the shutter and waits until the press has its outcome.
  ///
  /// A refusal is a report with its reason, not an error.
  ///
  /// - Parameter settings: what the press is asked to give.
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``, when no press can be numbered.
  func shoot(_ settings: PressSettings) async throws(APIError) -> PressReport

  /// Presses of this and of earlier runs, the newest first.
  func presses(_ filter: PressFilter) async throws(APIError) -> PressList

  /// One press by its number; `nil` when it is unknown or no longer remembered.
  func press(number: Int64) async throws(APIError) -> PressReport?

  /// How many presses ended how.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``.
  func pressCounts() async throws(APIError) -> PressCountsReport

  /// Edges of buttons that the kernel counted and nobody got to see, the newest first.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``.
  func lostEdges(limit: Int) async throws(APIError) -> LostEdgesList

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
