extension Operations {
  /// A test of a button.
  package static let testButton = Endpoint<ButtonTestRequest, ButtonTestReport>(
    "testButton", .post, "/v1/tests/button", .act,
    "Watches a button for the wanted presses or time; presses are refused meanwhile.",
    failures: [.notFound, .conflict, .unsupported], isCancellable: true, stallTimeout: .seconds(180)
  )

  /// A test of a light.
  package static let testLight = Endpoint<LightTestRequest, LightTestReport>(
    "testLight", .post, "/v1/tests/light", .act,
    "Turns on one light alone for a time, or until the caller closes the connection.",
    failures: [.conflict, .unsupported], isCancellable: true, stallTimeout: .seconds(120))

  /// A test of the accelerometer.
  package static let testAccelerometer = Endpoint<
    AccelerometerTestRequest, AccelerometerTestReport
  >(
    "testAccelerometer", .post, "/v1/tests/accelerometer", .act,
    "Watches the accelerometer's readings for a time.", failures: [.conflict, .unsupported],
    isCancellable: true)

  /// A test of the disk.
  package static let testStorage = Endpoint<StorageTestRequest, StorageTestReport>(
    "testStorage", .post, "/v1/tests/storage", .act,
    "Writes a file beside the pictures, synchronizes it, and reads it back.",
    failures: [.conflict, .unsupported], isCancellable: true, stallTimeout: .seconds(120))

  /// The end of the waits of targets.
  package static let retryTargets = Endpoint<TargetRetryRequest, TargetRetryReport>(
    "retryTargets", .post, "/v1/targets/retry", .act,
    "Ends all waits of one target's uploader, or of all uploaders.", failures: [.notFound])

  /// A pause of uploads.
  package static let pauseUploads = Endpoint<NoInput, UploadPauseReport>(
    "pauseUploads", .post, "/v1/targets/pause", .act,
    "Pauses all uploads until they are resumed or the service restarts.")

  /// The end of a pause of uploads.
  package static let resumeUploads = Endpoint<NoInput, UploadPauseReport>(
    "resumeUploads", .post, "/v1/targets/resume", .act, "Resumes paused uploads.")
}

extension ButtonTestRequest: JSONInput {
  package static var mayBeAbsent: Bool { true }
}

extension LightTestRequest: JSONInput {}

extension AccelerometerTestRequest: JSONInput {
  package static var mayBeAbsent: Bool { true }
}

extension StorageTestRequest: JSONInput {
  package static var mayBeAbsent: Bool { true }
}

extension TargetRetryRequest: JSONInput {
  package static var mayBeAbsent: Bool { true }
}
