import Devices

/// The packets that wait while the service does not read, in their order.
///
/// A single writer takes them. Of the frames' events the newest 256 are kept. All other packets are
/// kept: a call awaits an answer, and the end of a stream is told once.
struct HostOutbox {
  /// A waiting packet.
  struct Packet: Sendable {
    /// The packet's bytes.
    var bytes: [UInt8]
    /// Whether the packet is the event of a frame, which newer ones may displace.
    var isFrame: Bool
    /// The lease whose buffers' descriptors go with the packet, kept open by it.
    var lease: FrameLease?
  }

  /// The maximum number of waiting events of frames.
  static let maximumFrames = 256

  private var packets: [Packet] = []
  private var frameCount = 0
  private var hasWriter = false

  /// Whether no packet waits or is being written, so that the next one may be sent at once.
  var isEmpty: Bool { !hasWriter }

  /// Adds a packet, for which the oldest event of a frame may have to go.
  ///
  /// - Returns: whether the caller has to start the writer.
  mutating func add(_ packet: Packet) -> Bool {
    if packet.isFrame {
      if frameCount == Self.maximumFrames, let oldest = packets.firstIndex(where: \.isFrame) {
        packets.remove(at: oldest)
      } else {
        frameCount += 1
      }
    }
    packets.append(packet)
    defer { hasWriter = true }
    return !hasWriter
  }

  /// Takes the writer's next packet; `nil` ends the writer.
  mutating func next() -> Packet? {
    guard !packets.isEmpty else {
      hasWriter = false
      return nil
    }
    let packet = packets.removeFirst()
    if packet.isFrame { frameCount -= 1 }
    return packet
  }
}
