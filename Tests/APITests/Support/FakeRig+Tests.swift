import API
import Synchronization

/// The tests of the fake rig's parts, and what it was told.
struct FakeTests {
  var buttonRequests: [ButtonTestRequest] = []
  var lightRequests: [LightTestRequest] = []
  /// Whether a light stays lit until its caller has gone.
  var holdsLight = false
  /// The number of lights that went out because their caller had gone.
  var abandonedLights = 0
  var retriedTargets: [String?] = []
  /// Whether all that waits is delivered when it is tried.
  var deliversOnRetry = false
  var areUploadsPaused = false
  var button = TestSamples.button
  var storage = TestSamples.storage
  var accelerometer = TestSamples.accelerometer
  var failure: APIError?
}

extension FakeRig {
  func testButton(_ request: ButtonTestRequest) async throws(APIError) -> ButtonTestReport {
    editTests { $0.buttonRequests.append(request) }
    if let failure = tests.failure { throw failure }
    return tests.button
  }

  func testLight(_ request: LightTestRequest) async throws(APIError) -> LightTestReport {
    editTests { $0.lightRequests.append(request) }
    if let failure = tests.failure { throw failure }
    if tests.holdsLight {
      noteLit()
      let (forever, _) = AsyncStream.makeStream(of: Void.self)
      for await _ in forever {}
      editTests { $0.abandonedLights += 1 }
      noteLit()
      throw APIError(.unavailable, "The test was ended before it was over.")
    }
    return LightTestReport(
      light: Word(rawValue: request.light), name: "rig:green:ready", seconds: 1)
  }

  func testAccelerometer(
    _ request: AccelerometerTestRequest
  ) async throws(APIError) -> AccelerometerTestReport {
    if let failure = tests.failure { throw failure }
    return tests.accelerometer
  }

  func testStorage(_ request: StorageTestRequest) async throws(APIError) -> StorageTestReport {
    if let failure = tests.failure { throw failure }
    return tests.storage
  }

  func retryTargets(_ name: String?) async throws(APIError) -> TargetRetryReport {
    editTests { $0.retriedTargets.append(name) }
    guard name == nil || name == "archive" else {
      throw APIError(.notFound, "This rig has no target \"\(name ?? "")\".")
    }
    if tests.deliversOnRetry {
      editSpool { spool in spool.items = spool.items.map(TestSamples.delivered) }
    }
    return TargetRetryReport(targets: ["archive"])
  }

  func setUploadsPaused(_ isPaused: Bool) async -> UploadPauseReport {
    editTests { $0.areUploadsPaused = isPaused }
    return UploadPauseReport(arePaused: isPaused)
  }
}

/// Reports of a rig's tests.
enum TestSamples {
  /// A picture as it is when its target has it.
  static func delivered(_ item: SpoolItemReport) -> SpoolItemReport {
    SpoolItemReport(
      id: item.id, press: item.press, state: "delivered", reason: nil, path: item.path,
      bytes: item.bytes, sha256: item.sha256, remoteName: item.remoteName,
      mediaType: item.mediaType, captured: item.captured, duplicateOf: nil, nearDuplicateOf: nil,
      deliveries: [
        DeliveryStateReport(
          target: "archive", state: "done", attempts: 8, failure: nil, detail: nil,
          receipt: ReceiptReport(
            target: "archive", remoteName: item.remoteName, sha256: item.sha256, status: 201,
            duplicate: false, url: "http://archive.example/pages/1.jpg"))
      ])
  }

  static let problem = TestProblem(
    code: "buttonSilent", seen: "nothing was seen of the button in 20 s",
    advice: "Check the button's plug and cable.")

  static let button = ButtonTestReport(
    button: "shutter", seconds: 1.5, wantedPresses: 1,
    edges: [
      .init(milliseconds: 900, isDown: true), .init(milliseconds: 900.75, isDown: false),
      .init(milliseconds: 901.5, isDown: true), .init(milliseconds: 1000, isDown: false),
    ], edgeCount: 4,
    presses: [
      .init(milliseconds: 900, heldMilliseconds: 100, edges: 4, bounceMilliseconds: 1.5)
    ], gestures: [.init(gesture: "single", action: "shoot", milliseconds: 900)])

  static let silentButton = ButtonTestReport(
    button: "shutter", seconds: 20, wantedPresses: 1, problem: problem)

  static let accelerometer = AccelerometerTestReport(
    state: "ok", seconds: 3, samples: 30, rate: 10, wantedRate: 10, mean: [9.79, -0.02, 0.4],
    noise: [0.01, 0.012, 0.009], magnitude: 9.8, captureAngle: 90)

  static let storage = StorageTestReport(
    directory: "/var/lib/platen/spool", bytes: 8 << 20, writeRate: 21.5, readRate: 80.25,
    syncMilliseconds: 4.5, freeBytes: 4 << 30)
}
