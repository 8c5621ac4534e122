import Devices
import Logging

/// The session's work for its ``MovieOutput``: recordings, leases of frames and calls of writers.
extension CaptureSession {
  /// Starts a recording, which goes on until it is stopped or has to end.
  ///
  /// The rig's rotation at this moment holds for the whole recording. A refused recording has a
  /// number and an outcome, too.
  ///
  /// - Parameters:
  ///   - settings: the settings of the recording.
  ///   - makeWriter: makes the writer of a part.
  /// - Returns: the recording's number for ``outcome(ofMovie:)``.
  /// - Throws: ``MovieError`` when the recording is refused.
  @discardableResult
  package func startMovie(
    _ settings: MovieSettings, makeWriter: @escaping @Sendable () -> any MovieWriter
  ) throws(MovieError) -> Int {
    defer { stateChanged() }
    return try outputs.movie.start(
      settings, rigAngle: (rotation.captureAngle - rotation.previewAngle + 360) % 360,
      isRunning: status.isRunning, now: clock.now, makeWriter: makeWriter)
  }

  /// Pauses the recording, whose part is closed; does nothing when it is paused.
  ///
  /// - Throws: ``MovieError``, code `notRecording`.
  package func pauseMovie() throws(MovieError) { try tell(.pause) }

  /// Ends the pause of the recording with another part; does nothing when it is not paused.
  ///
  /// - Throws: ``MovieError``, code `notRecording`.
  package func resumeMovie() throws(MovieError) { try tell(.resume) }

  /// Ends the recording in order.
  ///
  /// - Returns: the recording's number for ``outcome(ofMovie:)``.
  /// - Throws: ``MovieError``, code `notRecording`.
  @discardableResult
  package func stopMovie() throws(MovieError) -> Int {
    let number = outputs.movie.status.number
    try tell(.stop(.stopped))
    return number
  }

  /// The status of the recording.
  package var movieStatus: MovieStatus { outputs.movie.status }

  /// The newest recording with an outcome.
  package var latestMovie: MovieRecord? { outputs.movie.latestRecord }

  /// Waits until a recording has its outcome.
  ///
  /// - Returns: the outcome, or `nil` when there is no such recording or it has been dropped.
  package func outcome(ofMovie number: Int) async -> MovieOutcome? {
    await withCheckedContinuation { outputs.movie.wait(for: number, $0) }
  }

  private func tell(_ input: MovieRecording.Input) throws(MovieError) {
    guard outputs.movie.status.state != .idle else {
      throw MovieError(
        .notRecording, problem: "cannot be changed", cause: "there is no recording")
    }
    outputs.movie.take(input, now: clock.now)
    stateChanged()
  }

  // MARK: The session

  /// Returns the frames that a stream has for movies; `nil` when it has no lease to spare.
  ///
  /// A press and the frame held for an undecided gesture need a lease each.
  func movieSource(
    _ stream: ResolvedStreamConfiguration, of camera: any Camera, ringFrameCount: Int
  ) -> MovieSource? {
    guard configuration.recordsMovies,
      stream.leasedFrameCount >= 2 + MovieOutput.leasedFrameCount
    else { return nil }
    return MovieSource(
      camera: camera.identity.id, format: stream.format,
      cameraAngle: (rotation.mountingAngle + stream.rotation) % 360,
      ringFrameCount: ringFrameCount,
      frameRate: stream.frameDuration.flatMap { $0 > .zero ? 1 / ($0 / .seconds(1)) : nil })
  }

  /// Tells the recording which interruptions last.
  func interruptionsChanged() {
    outputs.movie.take(
      interruptions: readinessCoordinator.interruptions.lastingReasons(refusing: true),
      now: clock.now)
    announceMovie()
  }

  /// Sends the events of recordings since the last call.
  func announceMovie() {
    for event in outputs.movie.takeNews() {
      if case .finished(let record) = event {
        let outcome =
          switch record.outcome {
          case .stored(let movie):
            "\(movie.frameCount.counted("frame")) in \(movie.parts.count.counted("part"))"
          case .refused(let error): error.description
          }
        logger.notice(
          "a recording has ended",
          metadata: ["movie.number": "\(record.number)", "movie.outcome": "\(outcome)"])
      }
      events.send(.movie(event))
    }
  }

  // MARK: The writers

  /// Makes the calls of the writers until the last recording has its outcome.
  func writeMovies() async {
    let calls = outputs.movie.calls
    // Cancellation ends the stream of calls early, so the last part is closed in a task that the
    // cancellation does not reach.
    await Task {
      for await call in calls {
        if case .store(let part) = call.step {
          // A long file takes minutes, in which the next part is recorded. The last recording ends
          // when all of its parts are stored, and with it the calls.
          Task { take(await store(part, by: call.writer)) }
        } else {
          take(await make(call))
        }
      }
    }.value
  }

  private func take(_ answer: MovieRecording.Input) {
    outputs.movie.take(answer, now: clock.now)
    stateChanged()
  }

  private func store(
    _ part: WrittenMoviePart, by writer: any MovieWriter
  ) async -> MovieRecording.Input {
    do throws(MovieError) {
      return .partStored(part.number, .success(try await writer.store(part)))
    } catch {
      return .partStored(part.number, .failure(error))
    }
  }

  private func make(_ call: MovieOutput.Call) async -> MovieRecording.Input {
    do throws(MovieError) {
      switch call.step {
      case .open(let part):
        try await call.writer.open(part)
        return .partOpened
      case .append(let frame): return .appended(await append(frame, to: call.writer))
      case .close: return .partClosed(.success(try await call.writer.close()))
      case .store(let part): return await store(part, by: call.writer)
      }
    } catch {
      if case .open = call.step { return .openFailed(error) }
      return .partClosed(.failure(error))
    }
  }

  /// Leases a frame for a writer, unless the ring has moved past it.
  private func append(
    _ frame: FrameInfo, to writer: any MovieWriter
  ) async -> MovieAppendResult {
    // Another camera may have a frame of the same number.
    guard let camera, let lease = await watched({ await camera.lease(frame.id) }),
      lease.info.timestamp == frame.timestamp
    else { return .dropped(.overwritten) }
    defer { lease.end() }
    return await writer.append(lease)
  }
}
