import API
import Capture
import Devices

/// The API's requests about recordings.
extension RigModel {
  func addMovie(to operations: inout OperationHandlers) {
    operations.on(Operations.movie) {
      _ = try control()
      return await movie()
    }
    operations.on(Operations.startMovie) {
      try await change { (control) throws(MovieError) in
        try await control.start(at: clock.now, source: .api)
      }
    }
    operations.on(Operations.pauseMovie) {
      try await change { (control) throws(MovieError) in try await control.session.pauseMovie() }
    }
    operations.on(Operations.resumeMovie) {
      try await change { (control) throws(MovieError) in try await control.session.resumeMovie() }
    }
    operations.on(Operations.stopMovie) { try await stopMovie() }
  }

  func movie() async -> MovieReport {
    MovieReport(await session.movieStatus, last: await session.latestMovie)
  }

  private func control() throws(APIError) -> MovieControl {
    guard let movies else {
      throw APIError(
        .unsupported, "This rig makes no recordings; \"movie.enabled: true\" allows them.")
    }
    return movies
  }

  private func change(
    _ act: (MovieControl) async throws(MovieError) -> Void
  ) async throws(APIError) -> MovieReport {
    let control = try control()
    do throws(MovieError) {
      try await act(control)
    } catch {
      throw APIError(error)
    }
    return await movie()
  }

  private func stopMovie() async throws(APIError) -> RecordingReport {
    let control = try control()
    let record: MovieRecord?
    do throws(MovieError) {
      record = try await control.stop()
    } catch {
      throw APIError(error)
    }
    guard let record else {
      throw APIError(.internalError, "The recording was forgotten before its outcome was read.")
    }
    return RecordingReport(record)
  }
}
