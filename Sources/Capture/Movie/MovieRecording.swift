import Devices

/// Leads a recording from its start to its only outcome, without clock, camera and writer.
///
/// The recording is made of parts, of which one is written at a time. A part begins with a frame,
/// as soon as the recording is neither paused nor interrupted and the stream runs. Pauses,
/// interruptions and the end of the stream close it; the next one begins by itself. A closed part
/// is stored beside the next one. See `MovieRecording+Parts.swift` for the life of a part.
struct MovieRecording {
  /// An event that concerns the recording.
  enum Input {
    /// A stream has begun; `nil` when it has no frames for movies.
    case streamBegan(MovieSource?)
    case streamEnded
    case frame(FrameInfo)
    case pause
    case resume
    /// The recording ends in order, for the first of several reasons.
    case stop(MovieEnd)
    case interruptionBegan(InterruptionReason)
    case interruptionEnded(InterruptionReason)
    /// The limits on the session have changed.
    case constrained(CaptureConstraints)
    /// The writer is ready for frames.
    case partOpened
    /// The writer could not begin.
    case openFailed(MovieError)
    /// The writer has answered for the oldest appended frame.
    case appended(MovieAppendResult)
    /// The writer has ended.
    case partClosed(Result<WrittenMoviePart, MovieError>)
    /// The part of this number is stored, or cannot be.
    case partStored(Int, Result<WrittenMoviePart, MovieError>)
  }

  /// A step to carry out, in order; all but the last one are answered by an input.
  enum Action {
    case openPart(MoviePart)
    case append(FrameInfo)
    case closePart
    /// The step that may last while others follow.
    case storePart(WrittenMoviePart)
    case finish(MovieOutcome)
  }

  enum Stage {
    /// No part is open.
    case waiting
    /// A writer begins.
    case opening
    /// Frames are written.
    case open
    /// The frames until now are written, and the writer ends.
    case closing
    case finished
  }

  /// The part that a writer has.
  struct Part {
    let source: MovieSource
    /// The appended frames for which the writer has not answered.
    var pending: [FrameInfo] = []
    /// The time of the first appended frame.
    var begin: MonotonicInstant?
    /// The time at which the wanted frame rate has its next frame.
    var due: MonotonicInstant?
    /// The times of the first and the last written frame.
    var written: (first: MonotonicInstant, last: MonotonicInstant)?
    var frameCount = 0
    var byteCount: Int64 = 0
    var hasFailed = false
  }

  /// A kept part between its first and its last frame.
  struct Span {
    let part: Int
    let first: MonotonicInstant
    let last: MonotonicInstant
  }

  /// The failures in a row after which the recording ends.
  static let maximumFailureCount = 3
  /// The recorded time of a part after which earlier failures do not count.
  static let provenTime = Duration.seconds(10)

  let number: Int
  let settings: MovieSettings
  /// The clockwise angle of the rig at the start: 0, 90, 180 or 270.
  let rigAngle: Int
  let startedAt: MonotonicInstant

  var stage = Stage.waiting
  var source: MovieSource?
  var constraints = CaptureConstraints.none
  var end: MovieEnd?
  var endedAt: MonotonicInstant?
  var part: Part?
  /// The number of the newest part, with a frame or without.
  var partNumber = 0
  var parts: [WrittenMoviePart] = []
  /// The numbers of the kept parts that are being stored, and whether the writer of each failed.
  var unstored: [Int: Bool] = [:]
  var spans: [Span] = []
  /// The reasons of gaps, each with the number of the newest part at that time.
  var reasons: [(part: Int, reason: MovieGap.Reason)] = []
  /// The time after which the next frame has to be: that of the start, and then of a frame.
  var newestTimestamp: MonotonicInstant
  var droppedFrameCount = 0
  /// Those of the dropped frames whose part was not stored.
  var lostFrameCount = 0
  var soundLevel: Double?
  var soundEnd: String?
  /// The failures of writers in a row.
  var failureCount = 0
  var retryAt: MonotonicInstant?
  private var isPaused = false
  private var interruptions: Set<InterruptionReason> = []

  init(
    number: Int, settings: MovieSettings, rigAngle: Int, source: MovieSource,
    constraints: CaptureConstraints, startedAt: MonotonicInstant
  ) {
    self.number = number
    self.settings = settings
    self.rigAngle = rigAngle
    self.source = source
    self.constraints = constraints
    self.startedAt = startedAt
    newestTimestamp = startedAt
  }

  /// Takes an event; after the outcome, nothing follows.
  mutating func take(_ input: Input, now: MonotonicInstant) -> [Action] {
    guard stage != .finished else { return [] }
    switch input {
    case .streamBegan(let source): self.source = source
    case .streamEnded:
      source = nil
      return suspend(.streamEnded)
    case .frame(let frame): return frameArrived(frame, now: now)
    case .pause:
      guard !isPaused else { break }
      isPaused = true
      return suspend(.paused)
    case .resume: isPaused = false
    case .stop(let end): return stop(end, now: now)
    case .interruptionBegan(let reason):
      guard interruptions.insert(reason).inserted else { break }
      return suspend(.interrupted(reason))
    case .interruptionEnded(let reason): interruptions.remove(reason)
    case .constrained(let constraints):
      self.constraints = constraints
      if constraints.movie == .ended { return stop(.tooHot, now: now) }
    case .partOpened: return opened()
    case .openFailed(let error): return openFailed(error, now: now)
    case .appended(let result): return appended(result, now: now)
    case .partClosed(let result): return closed(result, now: now)
    case .partStored(let number, let result): return stored(number, result, now: now)
    }
    return []
  }

  /// Whether frames should be recorded now.
  var isWanted: Bool { end == nil && !isPaused && interruptions.isEmpty && source != nil }

  /// The time between frames of the wanted rate; `nil` when all frames are wanted.
  var frameInterval: Duration? { frameRate.map { .seconds(1 / $0) } }

  /// The maximum frames per second that settings and constraints leave.
  var frameRate: Double? {
    guard let wanted = settings.frameRate else { return constraints.maximumFrameRate }
    return min(wanted, constraints.maximumFrameRate ?? wanted)
  }

  // MARK: Interruptions and the end

  /// Closes an open part because frames are not wanted for a while.
  private mutating func suspend(_ reason: MovieGap.Reason) -> [Action] {
    guard end == nil else { return [] }
    note(reason)
    return stage == .open ? closePart() : []
  }

  /// Notes the reason of a gap, which lies before a part that is being opened.
  mutating func note(_ reason: MovieGap.Reason) {
    reasons.append((stage == .opening ? partNumber - 1 : partNumber, reason))
  }

  mutating func closePart() -> [Action] {
    stage = .closing
    return [.closePart]
  }

  mutating func stop(_ end: MovieEnd, now: MonotonicInstant) -> [Action] {
    guard self.end == nil else { return [] }
    self.end = end
    endedAt = now
    switch stage {
    case .waiting: return finish(now: now)
    case .open: return closePart()
    case .opening, .closing, .finished: return []
    }
  }

  // MARK: State

  /// The number of parts whose writer failed; failures of the storage do not count.
  var writerFailureCount: Int {
    reasons.count {
      if case .writerFailed(let error) = $0.reason { error.code == .writerFailed } else { false }
    }
  }

  /// The recorded time of the kept parts.
  var keptTime: Duration { spans.reduce(.zero) { $0 + $1.first.duration(to: $1.last) } }

  /// The status now.
  var status: MovieStatus {
    var status = MovieStatus()
    status.state = state
    status.number = number
    status.press = settings.press
    status.elapsed = keptTime + (part?.written.map { $0.first.duration(to: $0.last) } ?? .zero)
    status.frameCount = parts.reduce(part?.frameCount ?? 0) { $0 + $1.frameCount }
    status.droppedFrameCount = droppedFrameCount
    status.lostFrameCount = lostFrameCount
    status.byteCount = parts.reduce(part?.byteCount ?? 0) { $0 + $1.byteCount }
    status.soundLevel = stage == .open ? soundLevel : nil
    status.soundEnd = stage == .open ? soundEnd : nil
    status.writerFailureCount = writerFailureCount
    return status
  }

  /// The state now; of several interruptions, the most important one.
  var state: MovieStatus.State {
    if stage == .finished { return .idle }
    if end != nil { return .finishing }
    if !interruptions.isEmpty,
      let reason = InterruptionReason.allCases.first(where: interruptions.contains)
    {
      return .interrupted(reason)
    }
    if isPaused { return .paused }
    return stage == .open ? .recording : .starting
  }
}
