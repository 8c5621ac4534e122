public import Devices

/// The frame that was chosen for a press.
public struct FrameSelection: Sendable, Hashable {
  /// The press's number.
  public var number: Int64
  /// The frame whose exposure midpoint is nearest the press.
  public var frame: FrameInfo
  /// How far the midpoint lies behind the press; negative when before it.
  public var error: Duration
  /// The time between the newest two frames; `nil` when there was only one.
  public var frameInterval: Duration?

  /// When the button was pressed.
  public var pressTime: MonotonicInstant {
    frame.exposureMidpoint.advanced(by: .zero - error)
  }
}

/// Chooses the frame whose exposure midpoint is nearest a press.
///
/// When a button is pressed, the frame of that moment is usually still on its way through the
/// camera's pipeline, so the choice waits until a frame whose midpoint is at or after the press
/// has arrived. Only then is it certain which one is nearest.
public struct FrameSelector: Sendable {
  private struct WaitingPress: Sendable {
    var number: Int64
    var time: MonotonicInstant
    var deadline: MonotonicInstant
  }

  /// How many frames the camera keeps for leasing, 2 or more.
  public let ringFrameCount: Int
  /// How long after a press a frame is waited for in which nothing adjusts itself; zero for not at all.
  public let settlingLimit: Duration
  private var frames: [FrameInfo] = []
  private var waiting: [WaitingPress] = []
  /// The exposure midpoint of the newest frame that had to make way for later ones.
  private var overwritten: MonotonicInstant?
  /// The times between the latest frames of the stream.
  private var intervals: [Duration] = []
  /// Whether the stream's camera has given a time that could be believed.
  private var hasKnownTimes = false
  /// How many frames in a row had none.
  private var unknownTimeCount = 0
  /// The exposure midpoint of the newest frame in which something adjusted itself.
  private var lastAdjusting: MonotonicInstant?
  /// The first frame of a light; presses before it have to take it.
  private var firstInLight: FirstInLight?

  private enum FirstInLight: Sendable {
    case awaited
    case came(MonotonicInstant)
  }

  /// Within which time a frame shows the press's moment, however fast the camera is: a page takes
  /// longer to turn.
  static let leastReach = Duration.milliseconds(150)
  /// How many intervals the usual one is the median of: a single pause makes no difference, and a
  /// camera that gets slower is known as such with its second frame.
  private static let intervalCount = 3

  /// Makes a selector for a camera that keeps that many frames.
  public init(ringFrameCount: Int, settlingLimit: Duration = .zero) {
    self.ringFrameCount = max(2, ringFrameCount)
    self.settlingLimit = max(.zero, settlingLimit)
  }

  /// The presses that wait for a later frame.
  public var waitingNumbers: [Int64] { waiting.map(\.number) }

  /// The time between the newest two frames; `nil` when there are fewer.
  public var frameInterval: Duration? {
    guard frames.count >= 2 else { return nil }
    return frames[frames.count - 2].timestamp.duration(to: frames[frames.count - 1].timestamp)
  }

  /// The usual time between the latest frames; `nil` when there is only one.
  public var usualInterval: Duration? {
    intervals.isEmpty ? nil : intervals.sorted()[intervals.count / 2]
  }

  /// What became of a press.
  public enum Choice: Sendable, Hashable {
    /// The nearest frame is certain.
    case frame(FrameSelection)
    /// A later frame may be nearer.
    case waits
    /// The press came so late that the frame of its moment has been overwritten.
    case tooLate
    /// The stream paused at the press's moment; its nearest frame shows another one.
    case noFrame
  }

  /// The presses that a frame settles.
  public struct Settlement: Sendable, Hashable {
    /// The presses whose nearest frame is certain now.
    public var chosen: [FrameSelection] = []
    /// The numbers of the presses at whose moment the stream paused.
    public var missed: [Int64] = []
  }

  /// Takes a press and chooses at once if a frame at or after it is already there.
  ///
  /// - Parameters:
  ///   - number: the press's number.
  ///   - time: when the button was pressed.
  ///   - deadline: until when to wait for a later frame.
  public mutating func press(
    _ number: Int64, at time: MonotonicInstant, deadline: MonotonicInstant
  ) -> Choice {
    if let newest = frames.last, newest.exposureMidpoint >= time,
      let selection = nearest(to: time, for: number), !mayYetSettle(selection, newest)
    {
      let isOfAnotherMoment = isOfAnotherMoment(selection)
      if wasOverwritten(selection), isOfAnotherMoment || isFar(selection) { return .tooLate }
      return isOfAnotherMoment ? .noFrame : .frame(selection)
    }
    waiting.append(WaitingPress(number: number, time: time, deadline: deadline))
    return .waits
  }

  /// Whether a frame that is gone was nearer.
  private func wasOverwritten(_ selection: FrameSelection) -> Bool {
    guard let overwritten else { return false }
    let distance = selection.pressTime.duration(to: overwritten).wholeNanoseconds
    return abs(distance) < abs(selection.error.wholeNanoseconds)
  }

  /// Whether a frame shows another moment than the press's: more than a frame and a half away.
  private func isFar(_ selection: FrameSelection) -> Bool {
    if wasWaitedFor(selection) { return false }
    guard let interval = frameInterval ?? selection.frame.frameDuration else { return false }
    return abs(selection.error.wholeNanoseconds) > interval.wholeNanoseconds * 3 / 2
  }

  /// Whether the stream paused around a press, so that even the nearest frame is further away than
  /// ``leastReach`` and one and a half frames.
  ///
  /// A frame is as long as is usual now; a pause itself is not usual.
  private func isOfAnotherMoment(_ selection: FrameSelection) -> Bool {
    if case .came(let first) = firstInLight, selection.pressTime <= first { return false }
    if wasWaitedFor(selection) { return false }
    guard let reach = reach(of: selection.frame) else { return false }
    return abs(selection.error.wholeNanoseconds) > reach.wholeNanoseconds
  }

  /// Whether a frame is late only because something adjusted itself at the press's moment.
  private func wasWaitedFor(_ selection: FrameSelection) -> Bool {
    guard selection.error > .zero, selection.error <= settlingLimit, let lastAdjusting else {
      return false
    }
    return lastAdjusting >= selection.pressTime.advanced(by: .zero - Self.leastReach)
  }

  /// Within which time a frame shows a press's moment; `nil` when the stream's rate is not known yet.
  private func reach(of frame: FrameInfo) -> Duration? {
    guard let usualInterval else { return nil }
    return max(Self.leastReach, max(usualInterval, frame.frameDuration ?? .zero) * 3 / 2)
  }

  /// Gives a press that waits another number.
  ///
  /// - Returns: whether there was one with that number.
  public mutating func renumber(_ number: Int64, to other: Int64) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return false }
    waiting[index].number = other
    return true
  }

  /// Forgets a press that waits.
  public mutating func withdraw(_ number: Int64) {
    waiting.removeAll { $0.number == number }
  }

  /// Takes a finished frame and returns the choices that it settles.
  ///
  /// A frame that has lain in a queue for long arrives with old contents and without a time that could
  /// be believed: it is no candidate where the camera's other frames have one.
  public mutating func frame(_ frame: FrameInfo) -> Settlement {
    guard isCandidate(frame) else { return Settlement() }
    if let last = frames.last {
      intervals.append(last.timestamp.duration(to: frame.timestamp))
      intervals.removeFirst(max(0, intervals.count - Self.intervalCount))
    }
    if !frame.adjusting.isEmpty { lastAdjusting = frame.exposureMidpoint }
    if case .awaited = firstInLight { firstInLight = .came(frame.exposureMidpoint) }
    frames.append(frame)
    while frames.count > ringFrameCount { overwritten = frames.removeFirst().exposureMidpoint }
    var settlement = Settlement()
    for press in waiting where press.time <= frame.exposureMidpoint {
      guard let selection = nearest(to: press.time, for: press.number),
        !mayYetSettle(selection, frame)
      else { continue }
      if isOfAnotherMoment(selection) {
        settlement.missed.append(press.number)
      } else {
        settlement.chosen.append(selection)
      }
    }
    let settled = Set(settlement.missed + settlement.chosen.map(\.number))
    waiting.removeAll { settled.contains($0.number) }
    return settlement
  }

  /// Whether a later frame than the newest one is waited for, because something adjusts itself.
  private func mayYetSettle(_ selection: FrameSelection, _ newest: FrameInfo) -> Bool {
    !selection.frame.adjusting.isEmpty
      && selection.pressTime.duration(to: newest.exposureMidpoint) < settlingLimit
  }

  /// Whether the time of a frame can be believed as well as that of any frame of this stream.
  private mutating func isCandidate(_ frame: FrameInfo) -> Bool {
    if frame.isTimestampKnown {
      unknownTimeCount = 0
      if !hasKnownTimes { frames.removeAll { !$0.isTimestampKnown } }
      hasKnownTimes = true
      return true
    }
    unknownTimeCount += 1
    // A ring full of them is no stray frame any more: the camera has no other times now.
    if unknownTimeCount >= ringFrameCount { hasKnownTimes = false }
    return !hasKnownTimes
  }

  /// Chooses again without a frame that turned out to be gone.
  ///
  /// - Returns: the nearest of the frames that are left, or `nil` when none is of that moment.
  public mutating func replacement(
    for selection: FrameSelection, pressedAt time: MonotonicInstant
  ) -> FrameSelection? {
    frames.removeAll { $0.id == selection.frame.id }
    return nearest(to: time, for: selection.number).flatMap { isFar($0) ? nil : $0 }
  }

  /// Gives up the presses whose deadline has come and returns their numbers.
  public mutating func expire(at now: MonotonicInstant) -> [Int64] {
    let expired = waiting.filter { $0.deadline <= now }.map(\.number)
    waiting.removeAll { $0.deadline <= now }
    return expired
  }

  /// Forgets the frames of a stream that has ended.
  public mutating func streamEnded() {
    overwritten = frames.last?.exposureMidpoint ?? overwritten
    frames.removeAll()
    intervals.removeAll()
    hasKnownTimes = false
    unknownTimeCount = 0
    firstInLight = nil
    lastAdjusting = nil
  }

  /// Forgets the frames of another light, also when the light failed: for presses before it, the first
  /// in this light is the nearest.
  public mutating func lightChanged() {
    overwritten = nil
    frames.removeAll()
    firstInLight = .awaited
  }

  /// Gives up all presses and returns their numbers.
  public mutating func abandonAll() -> [Int64] {
    defer { waiting.removeAll() }
    return waiting.map(\.number)
  }

  /// The nearest frame; where something adjusts itself in it and that is waited for, the nearest in which
  /// nothing does.
  private func nearest(to time: MonotonicInstant, for number: Int64) -> FrameSelection? {
    let interval = frameInterval
    let selections = frames.map { frame in
      FrameSelection(
        number: number, frame: frame, error: time.duration(to: frame.exposureMidpoint),
        frameInterval: interval)
    }
    func isNearer(_ one: FrameSelection, _ other: FrameSelection) -> Bool {
      abs(one.error.wholeNanoseconds) < abs(other.error.wholeNanoseconds)
    }
    guard let nearest = selections.min(by: isNearer), settlingLimit > .zero,
      !nearest.frame.adjusting.isEmpty
    else { return selections.min(by: isNearer) }
    let earliest = Duration.zero - (reach(of: nearest.frame) ?? Self.leastReach)
    let settled = selections.filter {
      $0.frame.adjusting.isEmpty && $0.error >= earliest && $0.error <= settlingLimit
    }
    return settled.min(by: isNearer) ?? nearest
  }
}
