public import API

extension RigClient {
  /// Watches a button until it was pressed as often as is wanted; presses are refused meanwhile.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `conflict`, `unsupported` or `notFound`.
  public func testButton(
    _ request: ButtonTestRequest
  ) async throws(RigClientError) -> ButtonTestReport {
    try await post("/v1/tests/button", request, stallTimeout: .seconds(180))
  }

  /// Lights one light and no other for a while; it is over at once when the task is cancelled.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `conflict` or `unsupported`.
  public func testLight(
    _ request: LightTestRequest
  ) async throws(RigClientError) -> LightTestReport {
    try await post("/v1/tests/light", request, stallTimeout: .seconds(120))
  }

  /// Looks at the accelerometer's readings for a while.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `conflict` or `unsupported`.
  public func testAccelerometer(
    _ request: AccelerometerTestRequest
  ) async throws(RigClientError) -> AccelerometerTestReport {
    try await post("/v1/tests/accelerometer", request)
  }

  /// Writes a file beside the pictures and reads it back.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `conflict`.
  public func testStorage(
    _ request: StorageTestRequest
  ) async throws(RigClientError) -> StorageTestReport {
    try await post("/v1/tests/storage", request, stallTimeout: .seconds(120))
  }

  /// Ends all waits of a target's uploader, or of all.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `notFound`.
  public func retryTargets(_ name: String?) async throws(RigClientError) -> TargetRetryReport {
    try await post("/v1/targets/retry", TargetRetryRequest(target: name))
  }

  /// Holds the uploads back, or lets them go on.
  ///
  /// - Throws: ``RigClientError``.
  public func setUploadsPaused(
    _ isPaused: Bool
  ) async throws(RigClientError) -> UploadPauseReport {
    try await post(isPaused ? "/v1/targets/pause" : "/v1/targets/resume")
  }
}
