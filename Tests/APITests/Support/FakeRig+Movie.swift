import API

/// The recording of the fake rig, and the calls that it got.
struct FakeMovie {
  var report = MovieSamples.recording
  var recording = MovieSamples.stored
  var calls: [String] = []
  /// The error of the next calls.
  var failure: APIError?
}

extension FakeRig {
  func movie(_ call: String) async throws(APIError) -> MovieReport {
    editMovie { $0.calls.append(call) }
    if let failure = fakeMovie.failure { throw failure }
    return fakeMovie.report
  }

  func stopMovie() async throws(APIError) -> RecordingReport {
    _ = try await movie("stop")
    return fakeMovie.recording
  }
}

/// Recordings as a rig would report them.
enum MovieSamples {
  static let stored = RecordingReport(
    press: 41, outcome: "stored", reason: "duration", durationSeconds: 61.5, frames: 1840,
    droppedFrames: 5, bytes: 53_500_000, items: ["rig-7-000041", "rig-7-000042"],
    gaps: [
      RecordingReport.Gap(seconds: 8, reasons: ["paused"]),
      RecordingReport.Gap(seconds: 1.25, reasons: ["cameraStalled", "streamEnded"]),
    ])

  static let refused = RecordingReport(
    press: 40, outcome: "refused", reason: "recorderMissing",
    cause: "the movie cannot begin: its program is missing")

  static let recording = MovieReport(
    state: "interrupted", reason: "cameraStalled", press: 43, elapsedSeconds: 12.5, frames: 370,
    droppedFrames: 2, bytes: 10_600_000, soundLevelDecibels: -18.5,
    recorderFailures: 1, last: stored)
}
