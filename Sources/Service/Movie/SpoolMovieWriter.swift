import CameraHost
import Capture
import Devices
import Doctor
import Glibc
import Imaging
import Logging
import Recorder
import Spool

/// Writes a part of a recording: its frames go to a recorder, whose file is one of the spool.
///
/// The recorder reads one frame at a time, and the next ones wait in the camera's ring. The room
/// for the next seconds is asked for beside the frames, so that a slow disk holds none back.
actor SpoolMovieWriter: MovieWriter {
  /// The facts that all parts of a recording share.
  struct Place: Sendable {
    let spool: Spool
    /// The program that records; `nil` when it is not installed.
    let launch: HostLaunch?
    /// The rig's name.
    let rigID: String
    let bootID: String?
    /// The bytes that the recording leaves free, 1 or more.
    let freeByteCount: Int64
    /// The trust of all recordings in the hardware's encoder.
    let hardware: HardwareEncoding
    let logger: Logger
    /// The press that started the recording; `nil` for none.
    var press: PressEntry?
    /// The ALSA device whose sound is recorded; `nil` for no sound.
    var sound: String?
    var deadlines = RecorderDeadlines()
    var clock: any MonotonicClock = SystemMonotonicClock()
    /// The trust of this recording, which a failure at frames ends.
    let ownHardware = HardwareEncoding()
    /// Returns the number of frames that the recording lacks so far.
    var droppedFrameCount: @Sendable () async -> Int = { 0 }
  }

  /// The recorded time after which room is asked for again.
  private static let roomInterval = Duration.seconds(1)
  /// The seconds of recording for which room is asked for.
  private static let roomSeconds: Int64 = 4

  private nonisolated let executor = DispatchQueueExecutor(label: "platen.movie")
  let place: Place
  var part: Part?
  /// The closed part that is not stored, with the form of its file, or the failure of its recorder.
  var closed: (part: Part, end: Result<RecordedPart.Form, RecorderFailure>)?
  var frames = SafeFrames()
  private var notice: String?
  private var soundEnd: String?
  private var isAskingForRoom = false
  private var nextQuestion: MonotonicInstant?
  private var progress: MovieProgress?
  /// The length of the file in bytes at the last answer.
  private var length: Int64 = 0
  private var failure: MovieError?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// An opened part.
  struct Part {
    let number: Int
    let recording: OpenRecording
    let recorder: RecorderProcess
    var metadata: ItemMetadata
    let roomByteCount: Int64
    let droppedBefore: Int
    let hasSound: Bool
  }

  init(_ place: Place) { self.place = place }

  // MARK: The beginning

  func open(_ part: MoviePart) async throws(MovieError) {
    let problem = "cannot begin"
    guard let launch = place.launch else {
      throw MovieError(
        .recorderMissing, problem: problem,
        cause: "its program is missing; install the package \"\(RecorderLaunch.name)\"")
    }
    var wanted = RecorderPart(part)
    wanted.sound = part.hasSound ? place.sound : nil
    wanted.prefersHardware = [place.hardware, place.ownHardware].allSatisfy {
      $0.isTrusted(at: place.clock.now)
    }
    let room = place.freeByteCount + Int64(wanted.bitRate) / 8 * Self.roomSeconds
    let metadata = metadata(of: part)
    let recording: OpenRecording
    do throws(SpoolError) {
      recording = try await place.spool.beginRecording(metadata, roomForBytes: room)
    } catch {
      throw MovieError(error, problem: problem)
    }
    do throws(MovieError) {
      let recorder = try await startTrusting(launch, wanted, recording)
      self.part = Part(
        number: part.number, recording: recording, recorder: recorder, metadata: metadata,
        roomByteCount: room, droppedBefore: await place.droppedFrameCount(),
        hasSound: wanted.sound != nil)
    } catch {
      await place.spool.discard(recording)
      throw error
    }
  }

  /// Starts a recorder; encodes by software where one that opens the hardware's encoder fails.
  private func startTrusting(
    _ launch: HostLaunch, _ wanted: RecorderPart, _ recording: OpenRecording
  ) async throws(MovieError) -> RecorderProcess {
    do throws(MovieError) {
      return try await start(launch, wanted, recording)
    } catch {
      guard wanted.prefersHardware else { throw error }
      var other = wanted
      other.prefersHardware = false
      let recorder = try await start(launch, other, recording)
      place.hardware.distrust(at: place.clock.now)
      warnOfHardware()
      return recorder
    }
  }

  private func start(
    _ launch: HostLaunch, _ wanted: RecorderPart, _ recording: OpenRecording
  ) async throws(MovieError) -> RecorderProcess {
    let file = Glibc.open(recording.path, O_RDWR | O_TRUNC | O_CLOEXEC)
    guard file >= 0 else {
      throw MovieError(.storage, problem: "cannot begin", cause: SystemError.last.description)
    }
    defer { Glibc.close(file) }
    do throws(RecorderFailure) {
      return try await RecorderProcess.start(
        launch, wanted, file: file, deadlines: place.deadlines, clock: place.clock)
    } catch {
      throw MovieError(.writerFailed, problem: "cannot begin", cause: error.description)
    }
  }

  private func metadata(of part: MoviePart) -> ItemMetadata {
    var metadata = ItemMetadata(
      rigID: place.rigID, pressNumber: part.press, captured: captureTime(at: part.beganAt))
    metadata.pressSource = place.press?.source
    metadata.pressGesture = place.press?.gesture
    metadata.pressButton = place.press?.button
    metadata.pressMonotonicNanoseconds = place.press?.time.monotonicNanoseconds
    metadata.captureAngle = part.captureAngle
    metadata.orientation = ImageOrientation(clockwiseRotation: part.captureAngle)
      .map { Int($0.rawValue) }
    metadata.camera = part.camera
    metadata.width = part.size.width
    metadata.height = part.size.height
    return metadata
  }

  private func captureTime(at time: MonotonicInstant) -> CaptureTime {
    CaptureTime(time, bootID: place.bootID, reading: WallClock().reading(at: time))
  }

  // MARK: The frames

  func append(_ frame: FrameLease) async -> MovieAppendResult {
    guard let part else {
      return .failed(MovieError(.writerFailed, problem: "has ended", cause: "it has no part"))
    }
    if let failure { return .failed(failure) }
    askForRoom(at: frame.info.timestamp, for: part)
    let fate = await part.recorder.write(frame)
    let counts = await part.recorder.counts
    note(counts)
    if let lost = await part.recorder.failure {
      return .failed(
        MovieError(.writerFailed, problem: "has lost its recorder", cause: lost.description))
    }
    guard fate == .written else { return .dropped(.unreadable) }
    // The frames until the recorder was ready are not in the file.
    if frames.takenCount == 0 {
      self.part?.metadata.captured = captureTime(at: frame.info.timestamp)
    }
    frames.take(frame.info.timestamp)
    defer { progress = nil }
    guard part.hasSound else { return .written(progress) }
    var news = progress ?? MovieProgress(byteCount: length)
    (news.soundLevel, news.soundEnd) = (counts.soundLevel, counts.soundEnd)
    return .written(news)
  }

  /// Notes news of the recorder.
  func note(_ counts: RecorderCounts) {
    if let mark = counts.safe { frames.note(safeBefore: mark.instant) }
    if counts.soundEnd != soundEnd, let sentence = counts.soundEnd {
      soundEnd = sentence
      place.logger.warning(
        "a recording goes on without sound", metadata: ["movie.sound_end": "\(sentence)"])
    }
    guard counts.notice != notice, let sentence = counts.notice else { return }
    notice = sentence
    place.logger.notice("the recorder tells", metadata: ["recorder.notice": "\(sentence)"])
  }

  /// Asks the spool for room once a second, without waiting for the answer.
  private func askForRoom(at time: MonotonicInstant, for part: Part) {
    guard !isAskingForRoom, nextQuestion.map({ $0 <= time }) ?? true else { return }
    isAskingForRoom = true
    nextQuestion = time.advanced(by: Self.roomInterval)
    Task {
      do throws(SpoolError) {
        length = try await place.spool.makeRoom(
          forBytes: part.roomByteCount, of: part.recording)
        progress = MovieProgress(byteCount: length)
      } catch  where error.code == .full {
        progress = MovieProgress(byteCount: length, freeByteCount: 0)
      } catch {
        failure = MovieError(error, problem: "cannot go on")
      }
      isAskingForRoom = false
    }
  }
}

extension MovieError {
  /// Makes the error for one of the spool.
  init(_ error: SpoolError, problem: String) {
    self.init(
      error.code == .full ? Code(.storageFull) : .storage, problem: problem,
      cause: error.description)
  }
}

extension RecorderPart {
  /// Makes the wishes for a part of a recording.
  init(_ part: MoviePart) {
    self.init(
      format: part.format, size: part.size, frameRate: part.expectedFrameRate ?? 30,
      rotation: part.captureAngle)
    switch part.compression {
    case .bitRate(let bits): bitRate = bits
    case .quality(.high): break
    case .quality(.medium): bitRate /= 2
    case .quality(.low): bitRate /= 4
    }
  }
}
