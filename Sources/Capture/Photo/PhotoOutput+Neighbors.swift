import Devices

/// The frames that are averaged with the chosen one for the prioritization *quality*.
///
/// They are leased after the chosen frame. As many are leased as leave the camera one lease beyond
/// those that requests need, and those of the captures that may still come.
extension PhotoOutput {
  /// The frames to lease besides a chosen one.
  struct Neighbors {
    /// The frames, the nearest first.
    var frames: [FrameInfo] = []
    /// The reason that there are none; `nil` when there are some, or none are wanted.
    var reason: SingleFrameReason?
  }

  /// Returns the frames to lease besides a chosen one, and counts them as leased.
  ///
  /// - Parameters:
  ///   - selection: the chosen frame, which has been leased.
  ///   - isKeptForAverage: whether frames are kept for the press that may take an anticipated one.
  mutating func neighbors(of selection: FrameSelection, isKeptForAverage: Bool) -> Neighbors {
    guard let requester = requests[selection.number],
      isAverage(requester, isKeptForAverage: isKeptForAverage)
    else { return Neighbors() }
    // Captures that may still come find the ring whole.
    let isAnticipated = if case .anticipation = requester { true } else { false }
    let others = prioritizer.maximumCapturesInFlight - presses.count - (isAnticipated ? 1 : 0)
    let room = leasedFrameCount - leaseCount - 1 - max(0, others)
    guard room > 0 else { return Neighbors(reason: .memory) }
    let ring = wantsLight(requester) ?? true ? selector : darkSelector
    let frames = ring.neighbors(of: selection.frame, atMost: room)
    neighborCounts[selection.number] = frames.count
    return Neighbors(frames: frames, reason: frames.isEmpty ? .unlike : nil)
  }

  /// Returns whether a chosen frame is one of a bracket: no other has its exposure and its light.
  func isOfBracket(_ selection: FrameSelection) -> Bool {
    if case .bracket? = requests[selection.number] { true } else { false }
  }

  /// Returns the frame to take instead of a damaged one, and counts it as leased; `nil` for none.
  mutating func spare(for selection: FrameSelection) -> FrameSelection? {
    guard let requester = requests[selection.number], leaseCount < leasedFrameCount else {
      return nil
    }
    let ring = wantsLight(requester) ?? true ? selector : darkSelector
    guard let spare = ring.alternative(to: selection) else { return nil }
    neighborCounts[selection.number] = 1
    return spare
  }

  /// The number of leases that presses have, and that requests have or need.
  private var leaseCount: Int {
    var count = requests.count + neighborCounts.values.reduce(0, +)
    count += bracket?.chosen.count ?? 0
    if case .holding(let chosen)? = anticipation?.state { count += 1 + chosen.neighbors.count }
    return presses.values.reduce(count) { $0 + $1.leaseCount }
  }

  private func isAverage(_ requester: Requester, isKeptForAverage: Bool) -> Bool {
    switch requester {
    case .press(let number): return isAverage(number)
    case .anticipation(let id):
      guard let anticipation, anticipation.id == id else { return false }
      guard case .became(let number) = anticipation.state else { return isKeptForAverage }
      return isAverage(number)
    case .bracket: return false
    }
  }

  private func isAverage(_ number: Int64) -> Bool {
    guard case .waiting(let settings)? = presses[number]?.stage else { return false }
    return settings.isAverage
  }
}

extension CapturedPhoto {
  /// Takes over the neighbors of the chosen frame, or returns them to the camera.
  mutating func takeNeighbors(of chosen: ChosenFrame) {
    guard settings.isAverage else {
      for neighbor in chosen.neighbors { neighbor.end() }
      singleFrame = settings.singleFrame
      return
    }
    neighbors = chosen.neighbors
    if neighbors.isEmpty { singleFrame = chosen.singleFrame ?? .overwritten }
  }
}
