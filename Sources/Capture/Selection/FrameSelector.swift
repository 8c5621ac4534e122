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
  private var frames: [FrameInfo] = []
  private var waiting: [WaitingPress] = []

  /// Makes a selector for a camera that keeps that many frames.
  public init(ringFrameCount: Int) {
    self.ringFrameCount = max(2, ringFrameCount)
  }

  /// The presses that wait for a later frame.
  public var waitingNumbers: [Int64] { waiting.map(\.number) }

  /// The time between the newest two frames; `nil` when there are fewer.
  public var frameInterval: Duration? {
    guard frames.count >= 2 else { return nil }
    return frames[frames.count - 2].timestamp.duration(to: frames[frames.count - 1].timestamp)
  }

  /// Takes a press and chooses at once if a frame at or after it is already there.
  ///
  /// - Parameters:
  ///   - number: the press's number.
  ///   - time: when the button was pressed.
  ///   - deadline: until when to wait for a later frame.
  /// - Returns: the choice, or `nil` when the press waits.
  public mutating func press(
    _ number: Int64, at time: MonotonicInstant, deadline: MonotonicInstant
  ) -> FrameSelection? {
    if let newest = frames.last, newest.exposureMidpoint >= time {
      return nearest(to: time, for: number)
    }
    waiting.append(WaitingPress(number: number, time: time, deadline: deadline))
    return nil
  }

  /// Takes a finished frame and returns the choices that it settles.
  public mutating func frame(_ frame: FrameInfo) -> [FrameSelection] {
    frames.append(frame)
    if frames.count > ringFrameCount { frames.removeFirst(frames.count - ringFrameCount) }
    let settled = waiting.filter { $0.time <= frame.exposureMidpoint }
    waiting.removeAll { $0.time <= frame.exposureMidpoint }
    return settled.compactMap { nearest(to: $0.time, for: $0.number) }
  }

  /// Chooses again without a frame that turned out to be gone.
  ///
  /// - Returns: the nearest of the frames that are left, or `nil` when none is.
  public mutating func replacement(
    for selection: FrameSelection, pressedAt time: MonotonicInstant
  ) -> FrameSelection? {
    frames.removeAll { $0.id == selection.frame.id }
    return nearest(to: time, for: selection.number)
  }

  /// Gives up the presses whose deadline has come and returns their numbers.
  public mutating func expire(at now: MonotonicInstant) -> [Int64] {
    let expired = waiting.filter { $0.deadline <= now }.map(\.number)
    waiting.removeAll { $0.deadline <= now }
    return expired
  }

  /// Forgets the frames of a stream that has ended.
  public mutating func streamEnded() {
    frames.removeAll()
  }

  /// Gives up all presses and returns their numbers.
  public mutating func abandonAll() -> [Int64] {
    defer { waiting.removeAll() }
    return waiting.map(\.number)
  }

  private func nearest(to time: MonotonicInstant, for number: Int64) -> FrameSelection? {
    let interval = frameInterval
    return frames.map { frame in
      FrameSelection(
        number: number, frame: frame, error: time.duration(to: frame.exposureMidpoint),
        frameInterval: interval)
    }.min { abs($0.error.wholeNanoseconds) < abs($1.error.wholeNanoseconds) }
  }
}
