import Devices

/// Makes movies of the session's frames (`AVCaptureMovieFileOutput`).
///
/// The output is a value without clock and camera. The session makes the ``calls`` of the writers
/// one after the other, but stores parts beside them, and tells the output of the results. A frame
/// waits for the writer in the camera's ring, and only the frame that the writer reads is leased.
struct MovieOutput: FrameOutput {
  /// A call of a writer.
  struct Call: Sendable {
    enum Step: Sendable {
      case open(MoviePart)
      case append(FrameInfo)
      case close
      case store(WrittenMoviePart)
    }

    let writer: any MovieWriter
    let step: Step
  }

  /// The maximum number of frames that are leased for a movie at a time.
  static let leasedFrameCount = 1
  /// The shortest time between two events about dropped frames.
  private static let droppedInterval = Duration.seconds(1)
  /// The maximum number of outcomes kept.
  private static let recordLimit = 100

  /// The calls of the writers, until the last one after the session's end.
  let calls: AsyncStream<Call>
  private let call: AsyncStream<Call>.Continuation
  private var recording: MovieRecording?
  private var makeWriter: (@Sendable () -> any MovieWriter)?
  private var writer: (any MovieWriter)?
  private var source: MovieSource?
  private var interruptions: Set<InterruptionReason> = []
  private var constraints = CaptureConstraints.none
  private var lastNumber = 0
  /// The failures of writers in the recordings that have ended.
  private var writerFailureCount = 0
  private var records: [MovieRecord] = []
  private var waiters: [Int: [CheckedContinuation<MovieOutcome?, Never>]] = [:]
  private var announced = MovieStatus()
  private var announcedAt: MonotonicInstant?
  private var news: [MovieEvent] = []
  private var isSessionOver = false

  init() { (calls, call) = AsyncStream.makeStream() }

  var needsLight: Bool { recording?.isWanted ?? false }
  var nextDeadline: MonotonicInstant? { nil }

  /// The status of the recording.
  var status: MovieStatus {
    var status = recording?.status ?? MovieStatus()
    status.writerFailureCount += writerFailureCount
    return status
  }
  /// The newest recording with an outcome.
  var latestRecord: MovieRecord? { records.last }

  // MARK: The recording

  /// Starts a recording and returns its number; one that is refused has an outcome at once.
  ///
  /// - Parameters:
  ///   - settings: the settings of the recording.
  ///   - rigAngle: the clockwise angle of the rig: 0, 90, 180 or 270.
  ///   - isRunning: whether the session runs.
  ///   - now: the time of the call.
  ///   - makeWriter: makes the writer of a part.
  mutating func start(
    _ settings: MovieSettings, rigAngle: Int, isRunning: Bool, now: MonotonicInstant,
    makeWriter: @escaping @Sendable () -> any MovieWriter
  ) throws(MovieError) -> Int {
    lastNumber += 1
    do throws(MovieError) {
      let source = try admit(settings, isRunning: isRunning)
      self.makeWriter = makeWriter
      recording = MovieRecording(
        number: lastNumber, settings: settings, rigAngle: rigAngle, source: source,
        constraints: constraints, startedAt: now)
      noteStatus(now: now)
      return lastNumber
    } catch {
      finish(MovieRecord(number: lastNumber, press: settings.press, outcome: .refused(error)))
      throw error
    }
  }

  private func admit(
    _ settings: MovieSettings, isRunning: Bool
  ) throws(MovieError) -> MovieSource {
    if recording != nil {
      throw .refused(.alreadyRecording, "another recording has not ended")
    }
    if let refusal = settings.refusal { throw refusal }
    guard isRunning, !isSessionOver else {
      throw .refused(.sessionNotRunning, "the session does not run")
    }
    if constraints.movie == .ended { throw .refused(.tooHot, "the rig is too hot") }
    if let reason = InterruptionReason.allCases.first(where: interruptions.contains) {
      throw .refused(MovieError.Code(reason), reason.facts.meaning)
    }
    guard let source else {
      throw .refused(.noFrames, "the camera has no frame to spare for it")
    }
    return source
  }

  /// Takes a request or a writer's answer, which is ignored without a recording.
  mutating func take(_ input: MovieRecording.Input, now: MonotonicInstant) {
    guard let (number, press) = recording.map({ ($0.number, $0.settings.press) }),
      let actions = recording?.take(input, now: now)
    else { return }
    for action in actions {
      switch action {
      case .openPart(let part):
        writer = makeWriter?()
        send(.open(part))
      case .append(let frame): send(.append(frame))
      case .closePart: send(.close)
      case .storePart(let part): send(.store(part))
      case .finish(let outcome):
        writerFailureCount += recording?.writerFailureCount ?? 0
        recording = nil
        writer = nil
        makeWriter = nil
        finish(MovieRecord(number: number, press: press, outcome: outcome))
        if isSessionOver { call.finish() }
      }
    }
    noteStatus(now: now)
  }

  private func send(_ step: Call.Step) {
    if let writer { call.yield(Call(writer: writer, step: step)) }
  }

  private mutating func finish(_ record: MovieRecord) {
    records.append(record)
    if records.count > Self.recordLimit { records.removeFirst() }
    news.append(.finished(record))
    for waiter in waiters.removeValue(forKey: record.number) ?? [] {
      waiter.resume(returning: record.outcome)
    }
  }

  /// Answers a caller with the outcome of a recording, or as soon as it has one.
  ///
  /// The answer is `nil` when there is no such recording or it has been dropped.
  mutating func wait(
    for number: Int, _ continuation: CheckedContinuation<MovieOutcome?, Never>
  ) {
    if recording?.number == number {
      waiters[number, default: []].append(continuation)
    } else {
      continuation.resume(returning: records.first { $0.number == number }?.outcome)
    }
  }

  // MARK: Events

  /// Notes another state or the end of the sound, and at most once a second more dropped frames.
  private mutating func noteStatus(now: MonotonicInstant) {
    let status = status
    let isDue = announcedAt.map { $0.duration(to: now) >= Self.droppedInterval } ?? true
    guard
      status.state != announced.state || status.soundEnd != announced.soundEnd
        || isDue && status.droppedFrameCount > announced.droppedFrameCount
    else { return }
    (announced, announcedAt) = (status, now)
    news.append(.status(status))
  }

  /// Removes the events since the last call, and returns them.
  mutating func takeNews() -> [MovieEvent] {
    guard !news.isEmpty else { return [] }
    defer { news = [] }
    return news
  }

  // MARK: The session

  mutating func take(_ event: StreamEvent, now: MonotonicInstant) {
    switch event {
    case .began(_, _, _, let source):
      self.source = source
      take(.streamBegan(source), now: now)
    case .frame(let frame, _, _): take(.frame(frame), now: now)
    case .ended(let reason):
      source = nil
      take(reason == .sessionNotRunning ? .stop(.sessionEnded) : .streamEnded, now: now)
    case .sessionEnded:
      isSessionOver = true
      take(.stop(.sessionEnded), now: now)
      if recording == nil { call.finish() }
    case .lightChanged, .lampDarkened, .timePassed: break
    }
  }

  /// Takes the reasons for which the session is interrupted now.
  ///
  /// A test of a button takes no frames away.
  mutating func take(interruptions lasting: Set<InterruptionReason>, now: MonotonicInstant) {
    let (before, after) = (interruptions, lasting.subtracting([.buttonTest]))
    interruptions = after
    for reason in InterruptionReason.allCases where after.contains(reason) {
      if !before.contains(reason) { take(.interruptionBegan(reason), now: now) }
    }
    for reason in before.subtracting(after) { take(.interruptionEnded(reason), now: now) }
  }

  /// Takes the limits on the session.
  mutating func take(_ constraints: CaptureConstraints, now: MonotonicInstant) {
    self.constraints = constraints
    take(.constrained(constraints), now: now)
  }
}
