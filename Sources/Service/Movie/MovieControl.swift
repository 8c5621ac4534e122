import CameraHost
import Capture
import Devices
import Doctor
import Logging
import Recorder
import RigConfiguration
import Spool

/// Starts and ends recordings for the API and the buttons, as the configuration says.
///
/// The start is a press with a number of its own, whose outcome is that of the recording.
struct MovieControl: Sendable {
  let session: CaptureSession
  let section: MovieSection
  let rigID: String
  let spool: Spool
  let numbers: PressNumbers
  /// Enters a press into the ledger.
  let enter: @Sendable (PressEntry) -> Void
  let bootID: String?
  let clock: any MonotonicClock
  let logger: Logger
  /// Finds the program that records, at each start; returns `nil` while it is not installed.
  var launch: @Sendable () -> HostLaunch? = { RecorderLaunch.find() }
  /// The time limits of the program.
  var deadlines = RecorderDeadlines()
  private let hardware = HardwareEncoding()

  /// Starts a recording and waits until its writer is ready for frames.
  ///
  /// - Parameters:
  ///   - time: the time of the press.
  ///   - source: the source of the press.
  /// - Throws: ``MovieError`` when the recording is refused, which is entered with its reason.
  func start(at time: MonotonicInstant, source: PressSource) async throws(MovieError) {
    let events = session.events.listen(
      limit: 64, where: { if case .movie = $0 { true } else { false } })
    let movie = try await begin(at: time, source: source)
    for await case .movie(let event) in events {
      switch event {
      case .status(let status):
        if status.number == movie, status.state != .starting { return }
      case .finished(let record):
        guard record.number == movie else { continue }
        if case .refused(let error) = record.outcome { throw error }
        return
      }
    }
  }

  /// Starts a recording without waiting for its first frame.
  ///
  /// - Returns: the recording's number in this run.
  /// - Throws: ``MovieError`` when the recording is refused at once.
  private func begin(
    at time: MonotonicInstant, source: PressSource, gesture: Gesture? = nil, button: String? = nil
  ) async throws(MovieError) -> Int {
    let number: Int64
    do {
      number = try await numbers.next()
    } catch {
      throw MovieError(
        .storage, problem: "cannot begin", cause: "its press gets no number: \(error)")
    }
    var entry = PressEntry(
      number: number,
      time: CaptureTime(time, bootID: bootID, reading: WallClock().reading(at: time)),
      source: source)
    entry.gesture = gesture
    entry.button = button
    entry.readiness = session.readiness.state
    enter(entry)
    var settings = section.recording
    settings.hasSound = section.sound != nil
    settings.press = number
    let place = place(of: entry)
    return try await session.startMovie(settings) { SpoolMovieWriter(place) }
  }

  private func place(of press: PressEntry) -> SpoolMovieWriter.Place {
    var place = SpoolMovieWriter.Place(
      spool: spool, launch: launch(), rigID: rigID, bootID: bootID,
      freeByteCount: section.recording.limits.freeByteCount ?? 1, hardware: hardware,
      logger: logger)
    place.press = press
    place.sound = section.sound
    place.clock = clock
    place.deadlines = deadlines
    // A part that is lost while the next one is written is no gap in that one.
    place.droppedFrameCount = { [session] in
      let status = await session.movieStatus
      return status.droppedFrameCount - status.lostFrameCount
    }
    return place
  }

  /// Ends the recording and waits for its outcome.
  ///
  /// - Returns: the recording; `nil` when it has been forgotten.
  /// - Throws: ``MovieError``, code `notRecording`.
  func stop() async throws(MovieError) -> MovieRecord? {
    let press = await session.movieStatus.press
    let number = try await session.stopMovie()
    return await session.outcome(ofMovie: number).map {
      MovieRecord(number: number, press: press, outcome: $0)
    }
  }

  /// Starts a recording, or ends the one that goes on; waits for neither frame nor outcome.
  ///
  /// A start while the last part is being closed is refused as a press of its own.
  ///
  /// - Throws: ``MovieError`` when the recording is refused at once.
  func toggle(
    at time: MonotonicInstant, gesture: Gesture, button: String
  ) async throws(MovieError) {
    switch await session.movieStatus.state {
    case .idle, .finishing:
      _ = try await begin(at: time, source: .button, gesture: gesture, button: button)
    case .starting, .recording, .paused, .interrupted: try await session.stopMovie()
    }
  }
}
