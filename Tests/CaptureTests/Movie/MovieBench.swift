import Devices
import TestSupport

@testable import Capture

/// A recording with a writer that answers when it is told to, and a list of broken rules.
struct MovieBench {
  /// The state of the only writer.
  private enum Writer { case none, opening, open, closing }

  static let source = MovieSource(
    camera: "cam",
    format: StreamFormat(
      size: FrameSize(width: 2028, height: 1520), pixelFormat: .yuv420, bytesPerRow: 2048,
      colorSpace: .jpeg), cameraAngle: 90, ringFrameCount: 8)
  static let failure = MovieError(
    .writerFailed, problem: "cannot be written", cause: "the process has ended")

  private(set) var recording: MovieRecording
  private(set) var now = instant(1000)
  private(set) var outcomes: [MovieOutcome] = []
  private(set) var parts: [MoviePart] = []
  /// The number of each part that was closed with a frame, and its first and its last one.
  private(set) var spans: [(part: Int, first: MonotonicInstant, last: MonotonicInstant)] = []
  /// Whether parts are stored only by ``answerStore(fails:)``.
  var holdsStores = false
  private(set) var appendedCount = 0
  private(set) var brokenRules: [String] = []
  private var frameID: UInt64 = 0
  private var calls: [MovieRecording.Action] = []
  private var stores: [WrittenMoviePart] = []
  private var writer = Writer.none
  private var newest: MonotonicInstant?
  /// The times of the frames in the open file.
  private(set) var file: [MonotonicInstant] = []
  private var isBroken = false

  init(
    _ settings: MovieSettings = MovieSettings(), constraints: CaptureConstraints = .none,
    source: MovieSource = MovieBench.source
  ) {
    recording = MovieRecording(
      number: 1, settings: settings, rigAngle: 270, source: source, constraints: constraints,
      startedAt: now)
  }

  var status: MovieStatus { recording.status }
  var hasCalls: Bool { !calls.isEmpty }
  var stored: StoredMovie? {
    if case .stored(let movie)? = outcomes.first { movie } else { nil }
  }
  var refusal: MovieError? {
    if case .refused(let error)? = outcomes.first { error } else { nil }
  }

  mutating func send(_ input: MovieRecording.Input) {
    let isOver = !outcomes.isEmpty
    for action in recording.take(input, now: now) {
      if isOver { brokenRules.append("a step after the outcome") }
      switch action {
      case .openPart(let part):
        if writer != .none { brokenRules.append("two parts are open") }
        if part.number != parts.count + 1 { brokenRules.append("a wrong number of a part") }
        if part.captureAngle != 0 { brokenRules.append("the rotation changed") }
        writer = .opening
        isBroken = false
        parts.append(part)
      case .append(let frame):
        appendedCount += 1
        if writer != .open { brokenRules.append("a frame outside of an open part") }
        if let newest, newest >= frame.timestamp { brokenRules.append("a time that does not rise") }
        if let begin = parts.last?.beganAt, frame.timestamp < begin {
          brokenRules.append("a frame before its part")
        }
        newest = frame.timestamp
      case .closePart:
        if writer != .open { brokenRules.append("a part is closed that is not open") }
        writer = .closing
      case .storePart(let part):
        if part.frameCount == 0 { brokenRules.append("a part without a frame is stored") }
        stores.append(part)
        continue
      case .finish(let outcome):
        if writer != .none || !calls.isEmpty || !stores.isEmpty {
          brokenRules.append("an outcome before the end")
        }
        outcomes.append(outcome)
        continue
      }
      calls.append(action)
    }
  }

  /// Lets time pass, and then sends a frame of that time; an earlier frame comes now.
  mutating func frame(after duration: Duration = .milliseconds(40)) {
    let time = now.advanced(by: duration)
    now = max(now, time)
    frameID += 1
    send(.frame(FrameInfo(id: frameID, sequence: frameID, timestamp: time)))
  }

  mutating func pass(_ duration: Duration) { now = now.advanced(by: duration) }

  /// Sends frames whose calls are answered at once.
  mutating func film(_ count: Int, every interval: Duration = .milliseconds(40)) {
    for _ in 0..<count {
      frame(after: interval)
      answerAll()
    }
  }

  mutating func answerAll() {
    while hasCalls { answer() }
    guard !holdsStores else { return }
    while !stores.isEmpty { answerStore() }
  }

  /// Answers for the part that is being stored for the longest time.
  mutating func answerStore(fails: Bool = false) {
    guard !stores.isEmpty else { return }
    var part = stores.removeFirst()
    if fails { spans.removeAll { $0.part == part.number } }
    part.itemID = "item-\(part.number)"
    send(.partStored(part.number, fails ? .failure(Self.failure) : .success(part)))
  }

  /// Answers the oldest call of the writer.
  ///
  /// - Parameters:
  ///   - fails: whether the writer fails; it takes no frame from then on.
  ///   - progress: the state of the file.
  mutating func answer(
    fails: Bool = false, drops: Bool = false, progress: MovieProgress? = nil
  ) {
    guard hasCalls else { return }
    switch calls.removeFirst() {
    case .openPart:
      file = []
      writer = fails ? .none : .open
      send(fails ? .openFailed(Self.failure) : .partOpened)
    case .append(let frame):
      isBroken = isBroken || fails
      if isBroken {
        send(.appended(.failed(Self.failure)))
      } else if drops {
        send(.appended(.dropped(.encoderBusy)))
      } else {
        file.append(frame.timestamp)
        send(.appended(.written(progress)))
      }
    case .closePart:
      writer = .none
      guard !fails else { return send(.partClosed(.failure(Self.failure))) }
      if let first = file.first, let last = file.last {
        spans.append((parts.count, first, last))
      }
      let duration = file.last.flatMap { file.first?.duration(to: $0) } ?? .zero
      send(
        .partClosed(
          .success(
            WrittenMoviePart(
              number: parts.count, duration: duration, frameCount: file.count,
              byteCount: Int64(file.count) * 1000, encoder: "test"))))
    case .storePart, .finish: break
    }
  }
}
