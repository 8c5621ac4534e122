import API
import Capture
import Devices
import RigConfiguration
import Upload

/// The API's requests about tests and targets.
extension RigModel {
  func addTests(to operations: inout OperationHandlers) {
    operations.on(Operations.testButton) { try await testButton($0) }
    operations.on(Operations.testLight) { try await testLight($0) }
    operations.on(Operations.identify) { try await identify($0) }
    operations.on(Operations.testAccelerometer) { try await testAccelerometer($0) }
    operations.on(Operations.testStorage) { try await testStorage($0) }
    operations.on(Operations.retryTargets) { try await retryTargets($0.target) }
    operations.on(Operations.pauseUploads) { await setUploadsPaused(true) }
    operations.on(Operations.resumeUploads) { await setUploadsPaused(false) }
  }

  func testButton(_ request: ButtonTestRequest) async throws(APIError) -> ButtonTestReport {
    try await existingTester().testButton(request)
  }

  func testLight(_ request: LightTestRequest) async throws(APIError) -> LightTestReport {
    try await existingTester().testLight(request, names: indicatorNames)
  }

  func identify(
    _ request: IdentificationRequest
  ) async throws(APIError) -> IdentificationReport {
    let seconds = request.seconds ?? IdentificationRequest.standardSeconds
    let roles = IndicatorRole.allCases.filter { indicatorNames[$0] != nil }
    return IdentificationReport(
      lights: roles.map(\.rawValue),
      seconds: try await existingTester().identify(
        for: .seconds(seconds), lights: Set(roles)))
  }

  func testAccelerometer(
    _ request: AccelerometerTestRequest
  ) async throws(APIError) -> AccelerometerTestReport {
    try await existingTester().testAccelerometer(request)
  }

  func testStorage(_ request: StorageTestRequest) async throws(APIError) -> StorageTestReport {
    try await existingTester().testStorage(request)
  }

  func retryTargets(_ name: String?) async throws(APIError) -> TargetRetryReport {
    let wanted = targets.filter { name == nil || $0.section.name == name }
    if let name, wanted.isEmpty {
      throw APIError(.notFound, "This rig has no target \"\(name.prefix(40))\".")
    }
    for target in wanted { await target.uploader.retryNow() }
    return TargetRetryReport(targets: wanted.map(\.section.name))
  }

  func setUploadsPaused(_ isPaused: Bool) async -> UploadPauseReport {
    await monitor.note(uploadsPaused: isPaused)
    return UploadPauseReport(arePaused: isPaused)
  }

  private func existingTester() throws(APIError) -> RigTester {
    guard let tester else { throw APIError(.unsupported, "This rig cannot be tested.") }
    return tester
  }
}
