package import Devices

/// Chooses the frame whose exposure midpoint is nearest a press.
///
/// When a button is pressed, the frame of that moment is usually still on its way through the
/// camera's pipeline. So the choice waits until a frame whose midpoint is at or after the press has
/// arrived. Only then is the nearest frame certain.
package struct FrameSelector: Sendable {
  private struct WaitingPress: Sendable {
    var number: Int64
    var time: MonotonicInstant
    var deadline: MonotonicInstant
  }

  /// The number of frames that the camera keeps for leasing, 2 or more.
  package var ringFrameCount: Int
  /// The maximum time after a press to wait for a settled frame; zero for no wait.
  package let settlingLimit: Duration
  private(set) var frames: [FrameInfo] = []
  private var waiting: [WaitingPress] = []
  /// The exposure midpoint of the newest frame that later ones have overwritten.
  private var overwritten: MonotonicInstant?
  /// The times between the latest frames of the stream.
  private var intervals: [Duration] = []
  /// Whether the stream's camera has given a reliable timestamp.
  private var hasKnownTimes = false
  /// The number of frames in a row without a reliable timestamp.
  private var unknownTimeCount = 0
  /// The exposure midpoint of the newest frame in which an automatic was adjusting.
  private var lastAdjusting: MonotonicInstant?
  /// The first frame in the current light; earlier presses have to take it.
  private var firstInLight: FirstInLight?

  private enum FirstInLight: Sendable {
    case awaited
    case came(MonotonicInstant)
  }

  /// The minimum reach: a frame this near shows the press's moment, however fast the camera is.
  ///
  /// A page takes longer to turn.
  static let leastReach = Duration.milliseconds(150)
  /// The number of intervals of which the usual one is the median.
  ///
  /// A single pause does not change the median, and it adapts to a slower camera with the second
  /// frame.
  private static let intervalCount = 3

  /// Makes a selector for a camera that keeps the given number of frames.
  package init(ringFrameCount: Int, settlingLimit: Duration = .zero) {
    self.ringFrameCount = max(2, ringFrameCount)
    self.settlingLimit = max(.zero, settlingLimit)
  }

  /// The numbers of the presses that wait for a later frame.
  package var waitingNumbers: [Int64] { waiting.map(\.number) }

  /// The earliest deadline of the presses that wait for a later frame.
  package var nextDeadline: MonotonicInstant? { waiting.map(\.deadline).min() }

  /// The time between the newest two frames; `nil` when there are fewer.
  package var frameInterval: Duration? {
    guard frames.count >= 2 else { return nil }
    return frames[frames.count - 2].timestamp.duration(to: frames[frames.count - 1].timestamp)
  }

  /// The usual time between the latest frames; `nil` when there is only one.
  package var usualInterval: Duration? {
    intervals.isEmpty ? nil : intervals.sorted()[intervals.count / 2]
  }

  /// Takes a press and chooses at once if a frame at or after it is already there.
  ///
  /// - Parameters:
  ///   - number: the number of the request, which comes back in the selection.
  ///   - time: the time of the press.
  ///   - deadline: the time until which to wait for a later frame.
  package mutating func press(
    _ number: Int64, at time: MonotonicInstant, deadline: MonotonicInstant
  ) -> Choice {
    if let newest = frames.last, newest.exposureMidpoint >= time,
      let selection = nearest(to: time, for: number), !mayYetSettle(selection, newest)
    {
      let isOfAnotherMoment = isOfAnotherMoment(selection)
      if wasOverwritten(selection), isOfAnotherMoment || isFar(selection) { return .tooLate }
      return isOfAnotherMoment ? .noFrame(nearest: selection) : .frame(selection)
    }
    waiting.append(WaitingPress(number: number, time: time, deadline: deadline))
    return .waits
  }

  /// Returns whether an overwritten frame was nearer.
  private func wasOverwritten(_ selection: FrameSelection) -> Bool {
    guard let overwritten else { return false }
    let distance = selection.pressTime.duration(to: overwritten).wholeNanoseconds
    return abs(distance) < abs(selection.error.wholeNanoseconds)
  }

  /// Returns whether a frame is more than a frame and a half away from the press.
  private func isFar(_ selection: FrameSelection) -> Bool {
    if wasWaitedFor(selection) { return false }
    guard let interval = frameInterval ?? selection.frame.frameDuration else { return false }
    return abs(selection.error.wholeNanoseconds) > interval.wholeNanoseconds * 3 / 2
  }

  /// Returns whether the stream paused around a press.
  ///
  /// The nearest frame is then further away than ``leastReach`` and one and a half frames. The
  /// usual interval gives a frame's length; a pause does not change it.
  private func isOfAnotherMoment(_ selection: FrameSelection) -> Bool {
    if case .came(let first) = firstInLight, selection.pressTime <= first { return false }
    if wasWaitedFor(selection) { return false }
    guard let reach = reach(of: selection.frame) else { return false }
    return abs(selection.error.wholeNanoseconds) > reach.wholeNanoseconds
  }

  /// Returns whether a frame is late only because an automatic adjusted at the press's moment.
  private func wasWaitedFor(_ selection: FrameSelection) -> Bool {
    guard selection.error > .zero, selection.error <= settlingLimit, let lastAdjusting else {
      return false
    }
    return lastAdjusting >= selection.pressTime.advanced(by: .zero - Self.leastReach)
  }

  /// Returns the time within which a frame shows a press; `nil` while the rate is unknown.
  private func reach(of frame: FrameInfo) -> Duration? {
    guard let usualInterval else { return nil }
    return max(Self.leastReach, max(usualInterval, frame.frameDuration ?? .zero) * 3 / 2)
  }

  /// Forgets a waiting press.
  package mutating func withdraw(_ number: Int64) {
    waiting.removeAll { $0.number == number }
  }

  /// Takes a finished frame and returns the choices that it settles.
  ///
  /// A frame that was queued for long arrives with old contents and without a reliable timestamp.
  /// It is no candidate where the camera's other frames have reliable ones.
  package mutating func frame(_ frame: FrameInfo) -> Settlement {
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
        settlement.missed.append(selection)
      } else {
        settlement.chosen.append(selection)
      }
    }
    let settled = Set((settlement.missed + settlement.chosen).map(\.number))
    waiting.removeAll { settled.contains($0.number) }
    return settlement
  }

  /// Returns whether a later frame than the newest is awaited, because an automatic adjusts.
  private func mayYetSettle(_ selection: FrameSelection, _ newest: FrameInfo) -> Bool {
    !selection.frame.adjusting.isEmpty
      && selection.pressTime.duration(to: newest.exposureMidpoint) < settlingLimit
  }

  /// Returns whether a frame's timestamp is as reliable as any of this stream.
  private mutating func isCandidate(_ frame: FrameInfo) -> Bool {
    if frame.isTimestampKnown {
      unknownTimeCount = 0
      if !hasKnownTimes { frames.removeAll { !$0.isTimestampKnown } }
      hasKnownTimes = true
      return true
    }
    unknownTimeCount += 1
    // A ring full of such frames is no exception: the camera has no reliable timestamps now.
    if unknownTimeCount >= ringFrameCount { hasKnownTimes = false }
    return !hasKnownTimes
  }

  /// Chooses again without a frame that turned out to be overwritten.
  ///
  /// - Returns: the nearest of the remaining frames, or `nil` when none is of that moment.
  package mutating func replacement(
    for selection: FrameSelection, pressedAt time: MonotonicInstant
  ) -> FrameSelection? {
    frames.removeAll { $0.id == selection.frame.id }
    return nearest(to: time, for: selection.number).flatMap { isFar($0) ? nil : $0 }
  }

  /// Gives up the presses whose deadline has passed and returns their numbers.
  package mutating func expire(at now: MonotonicInstant) -> [Int64] {
    let expired = waiting.filter { $0.deadline <= now }.map(\.number)
    waiting.removeAll { $0.deadline <= now }
    return expired
  }

  /// Forgets the frames of a stream that has ended.
  package mutating func streamEnded() {
    overwritten = frames.last?.exposureMidpoint ?? overwritten
    frames.removeAll()
    intervals.removeAll()
    hasKnownTimes = false
    unknownTimeCount = 0
    firstInLight = nil
    lastAdjusting = nil
  }

  /// Forgets the frames in another light, including when the lamp failed.
  ///
  /// For presses before the change, the first frame in this light is the nearest.
  package mutating func lightChanged() {
    overwritten = nil
    frames.removeAll()
    firstInLight = .awaited
  }

  /// Gives up all presses and returns their numbers.
  package mutating func abandonAll() -> [Int64] {
    defer { waiting.removeAll() }
    return waiting.map(\.number)
  }

  /// Returns the nearest frame, or the nearest settled one if the nearest is still adjusting.
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
