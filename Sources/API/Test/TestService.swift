/// What the API needs of a rig whose parts a technician tests one after the other.
///
/// One test goes on at a time; another is refused with ``APIError/Code/conflict``. A test ends when
/// its time is over, when the task that asked for it is cancelled, and when the service stops, and
/// leaves nothing behind. What is wrong with a part is a report with a ``TestProblem``, not an error;
/// a part that the rig does not have is ``APIError/Code/unsupported``.
public protocol TestService: Sendable {
  /// Watches a button until it was pressed as often as is wanted; presses are refused meanwhile.
  ///
  /// - Throws: ``APIError``: `conflict`, `unsupported`, `notFound` for a button that is none,
  ///   `unavailable` when the service stops.
  func testButton(_ request: ButtonTestRequest) async throws(APIError) -> ButtonTestReport

  /// Lights one light and no other for a while.
  ///
  /// - Throws: ``APIError``: `conflict`, `unsupported` for a light that the rig does not have,
  ///   `unavailable` when the service stops.
  func testLight(_ request: LightTestRequest) async throws(APIError) -> LightTestReport

  /// Looks at the accelerometer's readings for a while, at which the rig should lie still.
  ///
  /// - Throws: ``APIError``: `conflict`, `unsupported`, `unavailable` when the service stops.
  func testAccelerometer(
    _ request: AccelerometerTestRequest
  ) async throws(APIError) -> AccelerometerTestReport

  /// Writes a file beside the pictures, brings it to stable storage, and reads it back.
  ///
  /// - Throws: ``APIError``: `conflict`, `unavailable` when the service stops.
  func testStorage(_ request: StorageTestRequest) async throws(APIError) -> StorageTestReport
}

/// What the API needs of the places that pictures go to.
public protocol TargetService: Sendable {
  /// Ends all waits of a target's uploader, or of all, so that what waits is tried now.
  ///
  /// Uploads that are held back stay so.
  ///
  /// - Parameter name: the target's name; `nil` for all.
  /// - Throws: ``APIError``, code ``APIError/Code/notFound``.
  func retryTargets(_ name: String?) async throws(APIError) -> TargetRetryReport

  /// Holds the uploads back, or lets them go on; a restart of the service lets them go on, too.
  func setUploadsPaused(_ isPaused: Bool) async -> UploadPauseReport
}

/// What is wrong with a part that was tested.
public struct TestProblem: Sendable, Hashable, Codable {
  /// The code, as the doctor names it, for example `buttonHeldAtStart`.
  public let code: String
  /// What was seen, one sentence without its end.
  public let seen: String
  /// What to do about it, one or two sentences.
  public let advice: String

  /// Makes a problem.
  public init(code: String, seen: String, advice: String) {
    self.code = code
    self.seen = seen
    self.advice = advice
  }
}

/// The answer to `POST /v1/targets/retry`.
public struct TargetRetryReport: Sendable, Hashable, Codable {
  /// The targets whose waits are over.
  public let targets: [String]

  /// Makes a report.
  public init(targets: [String]) { self.targets = targets }
}

/// The answer to `POST /v1/targets/pause` and `POST /v1/targets/resume`.
public struct UploadPauseReport: Sendable, Hashable, Codable {
  /// Whether a technician holds the uploads back.
  public let arePaused: Bool

  /// Makes a report.
  public init(arePaused: Bool) { self.arePaused = arePaused }
}
