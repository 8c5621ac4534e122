/// The owners of a stream's buffers: none, the ring, leases or the pipeline.
///
/// A buffer is filled and enters the ring as a numbered frame. The buffer is free again when the
/// ring has moved past it and no lease is left. When no buffer is free, the oldest unleased frame
/// leaves the ring early. So frames stop only when all buffers are leased.
struct BufferLedger: Sendable {
  /// The answer to a request for a buffer.
  enum Taking: Sendable, Hashable {
    /// The buffer to fill.
    case buffer(Int)
    /// All buffers are leased; `isNew` if they were not before.
    case starved(isNew: Bool)
  }

  private struct Slot {
    var isBeingFilled = false
    var isInRing = false
    var leases = 0
    var isFree: Bool { !isBeingFilled && !isInRing && leases == 0 }
  }

  private var slots: [Slot]
  /// The frames that can be leased, the oldest first.
  private var ring: [(frame: UInt64, slot: Int)] = []
  private let ringFrameCount: Int
  private(set) var isStarved = false

  init(bufferCount: Int, ringFrameCount: Int) {
    slots = [Slot](repeating: Slot(), count: bufferCount)
    self.ringFrameCount = ringFrameCount
  }

  /// The frames that can be leased, the oldest first.
  var frames: [UInt64] { ring.map(\.frame) }

  /// Takes a buffer to fill.
  mutating func take() -> Taking {
    if !slots.contains(where: \.isFree),
      let index = ring.firstIndex(where: { slots[$0.slot].leases == 0 })
    {
      slots[ring.remove(at: index).slot].isInRing = false
    }
    guard let slot = slots.firstIndex(where: \.isFree) else {
      defer { isStarved = true }
      return .starved(isNew: !isStarved)
    }
    slots[slot].isBeingFilled = true
    return .buffer(slot)
  }

  /// Puts a filled buffer into the ring under its frame's number.
  mutating func finish(_ slot: Int, frame: UInt64) {
    precondition(slots[slot].isBeingFilled, "buffer \(slot) is not being filled")
    slots[slot].isBeingFilled = false
    slots[slot].isInRing = true
    ring.append((frame, slot))
    while ring.count > ringFrameCount { slots[ring.removeFirst().slot].isInRing = false }
  }

  /// Leases a frame of the ring; `nil` when the ring has moved past it.
  mutating func lease(_ frame: UInt64) -> Int? {
    guard let slot = ring.first(where: { $0.frame == frame })?.slot else { return nil }
    slots[slot].leases += 1
    return slot
  }

  /// Ends a lease.
  ///
  /// - Returns: whether frames can come again after starvation.
  mutating func giveBack(_ slot: Int) -> Bool {
    precondition(slots[slot].leases > 0, "buffer \(slot) is not leased")
    slots[slot].leases -= 1
    guard isStarved, slots[slot].leases == 0 else { return false }
    isStarved = false
    return true
  }
}
