import Devices

/// The state of a recorder as the service knows it.
///
/// No time passes here: each call has the present instant. A recorder that owes an answer has a
/// deadline, which each of its words moves.
struct RecorderLedger {
  /// The phase of a recorder's life.
  enum Phase: Sendable, Hashable {
    /// The program starts and opens its encoder.
    case opening
    /// Frames are taken.
    case recording
    /// The file is closed or copied.
    case closing
    /// The part is done.
    case closed(RecordedPart)
    /// The recorder has failed or was killed.
    case failed(RecorderFailure)
  }

  /// The greatest number of frames under way: the one in the encoder and the next.
  static let underWayLimit = 2

  private(set) var phase = Phase.opening
  private(set) var counts = RecorderCounts()
  /// The numbers of the frames whose memory the recorder reads.
  private(set) var underWay: Set<Int> = []
  let deadlines: RecorderDeadlines
  private var lastWord: MonotonicInstant
  private var isGreeted = false

  /// Notes the start of a recorder.
  init(deadlines: RecorderDeadlines, at now: MonotonicInstant) {
    self.deadlines = deadlines
    lastWord = now
  }

  /// Whether the recorder has ended, in order or not.
  var isOver: Bool {
    switch phase {
    case .closed, .failed: true
    case .opening, .recording, .closing: false
    }
  }

  /// The instant at which a silent recorder is killed; `nil` while it owes nothing.
  var deadline: MonotonicInstant? {
    switch phase {
    case .opening: lastWord.advanced(by: deadlines.opening)
    case .recording: underWay.isEmpty ? nil : lastWord.advanced(by: deadlines.recording)
    case .closing: lastWord.advanced(by: deadlines.closing)
    case .closed, .failed: nil
    }
  }

  /// Notes a frame for the recorder.
  ///
  /// - Returns: the frame's number; `nil` when the frame is dropped, which is counted.
  mutating func begin(at now: MonotonicInstant) -> Int? {
    guard phase == .recording, underWay.count < RecorderLedger.underWayLimit else {
      counts.dropped += 1
      return nil
    }
    if underWay.isEmpty { lastWord = now }
    counts.sent += 1
    underWay.insert(counts.sent)
    return counts.sent
  }

  /// Notes the wish to close the part.
  mutating func close(at now: MonotonicInstant) {
    guard phase == .recording else { return }
    (phase, lastWord) = (.closing, now)
  }

  /// Notes the wish to copy the closed part.
  mutating func copy(at now: MonotonicInstant) {
    guard case .closed = phase else { return }
    (phase, lastWord) = (.closing, now)
  }

  /// Notes a word of the recorder.
  mutating func take(_ reply: RecorderReply, at now: MonotonicInstant) {
    guard !isOver else { return }
    lastWord = now
    switch reply {
    case .greeting(let version): greeted(by: version)
    case .opened where !isGreeted: greeted(by: nil)
    case .opened(let encoder):
      counts.encoder = encoder
      if phase == .opening { phase = .recording }
    case .taken(let number): underWay.remove(number)
    case .refused(let number, let reason):
      underWay.remove(number)
      counts.unusable += 1
      counts.notice = reason
    case .safe(let mark): counts.safe = mark
    case .sound(let level): counts.soundLevel = level
    case .soundEnded(let reason): (counts.soundLevel, counts.soundEnd) = (nil, reason)
    case .notice(let sentence): counts.notice = sentence
    case .closing: break
    case .closed(let part): end(.closed(part))
    case .failed(let failure): end(.failed(failure))
    }
  }

  /// Refuses a recorder of another version, whose messages may mean something else.
  private mutating func greeted(by version: String?) {
    isGreeted = version == PlatenVersion.current
    guard !isGreeted else { return }
    let theirs = version.map { "version \($0.prefix(40).debugDescription)" } ?? "an older version"
    fail(
      "The recorder is of \(theirs), so nothing is recorded: "
        + "the service is of version \"\(PlatenVersion.current)\".")
  }

  /// Notes the end of a recorder that said nothing about it.
  mutating func fail(_ sentence: String) {
    if !isOver { end(.failed(RecorderFailure(sentence))) }
  }

  /// Fails when the deadline has passed.
  ///
  /// - Returns: whether the recorder has to be killed now.
  mutating func expire(at now: MonotonicInstant) -> Bool {
    guard let deadline, deadline <= now else { return false }
    let silence = lastWord.duration(to: now)
    fail(
      "The recorder did not answer within \(silence.wholeNanoseconds / 1_000_000_000) s, so it "
        + "was killed. What was safe is kept.")
    return true
  }

  private mutating func end(_ phase: Phase) {
    self.phase = phase
    underWay = []
  }
}

/// The numbers of a recording's part.
package struct RecorderCounts: Sendable, Hashable {
  /// The frames that were given to the recorder.
  package fileprivate(set) var sent = 0
  /// The frames for which the recorder was not ready.
  package fileprivate(set) var dropped = 0
  /// The frames that the recorder could not use.
  package fileprivate(set) var unusable = 0
  /// The part of the file that is on stable storage; `nil` before the first fragment.
  package fileprivate(set) var safe: RecorderMark?
  /// The encoder's name with its first preset; `nil` before it is open.
  package fileprivate(set) var encoder: String?
  /// The last change or problem, a sentence; `nil` when there was none.
  package fileprivate(set) var notice: String?
  /// The level of the sound in dBFS, -96 to 0; `nil` when it is unknown.
  package fileprivate(set) var soundLevel: Double?
  /// The reason that the sound has ended; `nil` while it goes on or without sound.
  package fileprivate(set) var soundEnd: String?
}
