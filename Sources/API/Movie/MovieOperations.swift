extension Operations {
  private static let refusals: [APIError.Code] = [.unsupported, .conflict]

  /// The recording and the outcome of the last one.
  package static let movie = Endpoint<NoInput, MovieReport>(
    "movie", .get, "/v1/movie", .read,
    "Returns the recording that goes on, and the outcome of the one before.",
    failures: [.unsupported])

  /// The start of a recording.
  package static let startMovie = Endpoint<NoInput, MovieReport>(
    "startMovie", .post, "/v1/movie/start", .act,
    "Starts a recording as the configuration says, and waits until its writer is ready for frames.",
    failures: refusals)

  /// The pause of a recording.
  package static let pauseMovie = Endpoint<NoInput, MovieReport>(
    "pauseMovie", .post, "/v1/movie/pause", .act, "Pauses the recording, whose part is stored.",
    failures: refusals)

  /// The end of a pause.
  package static let resumeMovie = Endpoint<NoInput, MovieReport>(
    "resumeMovie", .post, "/v1/movie/resume", .act,
    "Ends the pause of the recording, which goes on in another part.", failures: refusals)

  /// The end of a recording.
  package static let stopMovie = Endpoint<NoInput, RecordingReport>(
    "stopMovie", .post, "/v1/movie/stop", .act,
    "Ends the recording and waits for its outcome, which has the reason when nothing was stored.",
    failures: refusals + [.internalError], stallTimeout: .seconds(600))
}
