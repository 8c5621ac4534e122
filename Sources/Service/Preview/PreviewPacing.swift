import Devices

/// The pacing of the pictures for all viewers of a preview, as a value without clock and I/O.
///
/// | event | result |
/// |---|---|
/// | a viewer joins, waits or leaves | ``join(_:within:every:at:)``, ``wait(_:)``, ``leave(_:)`` |
/// | a frame comes | ``frameCame(_:)`` |
/// | pictures can be made | ``due(at:)`` names the sizes for which a viewer waits |
/// | pictures are made | ``made(_:within:began:ended:pause:)`` names the viewers that get one |
/// | captures need the frames | ``busy(at:)`` names the viewers that have waited in vain |
/// | no frame comes | ``outage(at:)`` names the viewers whose part ends |
/// | the rig is too hot | ``endAll()`` |
///
/// A viewer gets a picture only while it waits, at its own rate, and each frame once. All viewers
/// of a size get the same picture. After a shot the maker rests as long as the shot took, so that
/// the previews use at most half of a core.
struct PreviewPacing: Sendable {
  private struct Viewer {
    let limit: FrameSize
    let interval: Duration
    let joined: MonotonicInstant
    /// The time of the next picture at the viewer's rate.
    var next: MonotonicInstant
    var isWaiting = false
    /// The number of the frame that the viewer has seen last.
    var frame: UInt64?

    /// Returns whether the viewer wants a picture now.
    ///
    /// A frame that comes a little early counts, because the next one could be much too late.
    func isDue(at now: MonotonicInstant) -> Bool {
      isWaiting && next <= now.advanced(by: interval / 4)
    }
  }

  /// The time for which viewers wait for a picture before their part ends.
  static let pictureTimeout = Duration.seconds(5)
  /// The time after which the newest frame is shown again, or the outage found.
  static let staleness = Duration.seconds(2)

  private var viewers: [Int: Viewer] = [:]
  /// The number of the newest frame, as far as known.
  private var newest: UInt64?
  private var lastShot: MonotonicInstant?
  private var restsUntil: MonotonicInstant?
  private var outageBegan: MonotonicInstant?

  /// Whether there is no viewer.
  var isEmpty: Bool { viewers.isEmpty }

  /// Adds a viewer.
  ///
  /// - Parameters:
  ///   - number: the viewer's number, a new one for each.
  ///   - limit: the most columns and rows of its pictures.
  ///   - interval: the shortest time between two pictures.
  mutating func join(
    _ number: Int, within limit: FrameSize, every interval: Duration, at now: MonotonicInstant
  ) {
    if viewers.isEmpty {
      // The knowledge of frames is from the time before the pause.
      (newest, lastShot, outageBegan) = (nil, nil, nil)
    }
    viewers[number] = Viewer(limit: limit, interval: interval, joined: now, next: now)
  }

  /// Notes that a viewer waits for a picture, and returns whether the viewer is known.
  mutating func wait(_ number: Int) -> Bool {
    viewers[number]?.isWaiting = true
    return viewers[number] != nil
  }

  /// Removes a viewer.
  mutating func leave(_ number: Int) { viewers[number] = nil }

  /// Notes the number of the newest frame.
  mutating func frameCame(_ frame: UInt64) { newest = frame }

  /// Returns the sizes for which a viewer waits and may get a picture of the newest frame.
  func due(at now: MonotonicInstant) -> Set<FrameSize> {
    if let restsUntil, now < restsUntil { return [] }
    let isStale = isStale(at: now)
    let waiting = viewers.values.filter { viewer in
      viewer.isDue(at: now) && (isStale || newest == nil || viewer.frame != newest)
    }
    return Set(waiting.map(\.limit))
  }

  private func isStale(at now: MonotonicInstant) -> Bool {
    lastShot.map { $0.duration(to: now) >= Self.staleness } ?? true
  }

  /// Notes a shot.
  ///
  /// - Parameters:
  ///   - frame: the number of the frame.
  ///   - limits: the limits of the pictures' sizes.
  ///   - pause: the shortest time to the next shot, from the begin of this one.
  /// - Returns: the numbers of the viewers that get a picture, with the limits of their sizes.
  mutating func made(
    _ frame: UInt64, within limits: Set<FrameSize>, began: MonotonicInstant,
    ended: MonotonicInstant, pause: Duration = .zero
  ) -> [Int: FrameSize] {
    let isStale = isStale(at: ended)
    (newest, lastShot, outageBegan) = (frame, ended, nil)
    restsUntil = max(
      ended.advanced(by: began.duration(to: ended)), began.advanced(by: pause))
    var served: [Int: FrameSize] = [:]
    for (number, viewer) in viewers
    where limits.contains(viewer.limit) && viewer.isDue(at: ended)
      && (isStale || viewer.frame != frame)
    {
      served[number] = viewer.limit
      viewers[number]?.isWaiting = false
      viewers[number]?.frame = frame
      viewers[number]?.next = max(viewer.next.advanced(by: viewer.interval), ended)
    }
    return served
  }

  /// Notes that captures need the frames; ends and returns new viewers that have waited too long.
  mutating func busy(at now: MonotonicInstant) -> [Int] {
    outageBegan = nil
    return end { viewer in
      viewer.frame == nil && viewer.joined.duration(to: now) >= Self.pictureTimeout
    }
  }

  /// Notes that no frame comes; ends and returns new viewers at once, and others after a while.
  mutating func outage(at now: MonotonicInstant) -> [Int] {
    let began = outageBegan ?? now
    outageBegan = began
    let isOver = began.duration(to: now) >= Self.pictureTimeout
    return end { isOver || $0.frame == nil }
  }

  /// Ends and returns all viewers.
  mutating func endAll() -> [Int] { end { _ in true } }

  private mutating func end(_ isOver: (Viewer) -> Bool) -> [Int] {
    let over = viewers.filter { isOver($0.value) }.map(\.key).sorted()
    for number in over { viewers[number] = nil }
    return over
  }
}
