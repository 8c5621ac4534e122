import Devices

/// The event of a frame as a packet: a tag, the stream's number and the frame's fields.
///
/// The packet has about 200 bytes. Writing and reading it need no memory besides the packet's.
struct FrameEventPacket {
  /// The first byte, which no JSON has; another layout gets another tag.
  static let tag: UInt8 = 0x81

  /// The stream's number.
  var stream: Int
  /// The frame.
  var info: FrameInfo

  private mutating func pass(
    through cursor: inout some PacketCursor
  ) throws(HostCodec.Malformed) {
    var tag = Self.tag
    try cursor.pass(&tag)
    guard tag == Self.tag else {
      throw HostCodec.Malformed(description: "a frame's event has the tag \(tag)")
    }
    try stream.pass(through: &cursor)
    try info.pass(through: &cursor)
  }
}

extension FrameEventPacket {
  /// Reads a packet.
  ///
  /// - Throws: ``HostCodec/Malformed`` when it has a byte too few or too many, or an unknown value.
  init(_ packet: ArraySlice<UInt8>) throws(HostCodec.Malformed) {
    self.init(stream: Int.blank, info: FrameInfo.blank)
    var reader = PacketReader(packet)
    try pass(through: &reader)
    try reader.finish()
  }

  /// Replaces a packet with this one, in the same memory.
  func write(to packet: inout [UInt8]) throws(HostCodec.Malformed) {
    var writer = PacketWriter()
    // The writer borrows the memory, for two owners would make a copy.
    swap(&writer.bytes, &packet)
    defer { swap(&writer.bytes, &packet) }
    writer.bytes.removeAll(keepingCapacity: true)
    var event = self
    try event.pass(through: &writer)
  }
}

/// The fields of a frame, in their order; a new field is added here and gets another tag.
extension FrameInfo: PacketField {
  static var blank: FrameInfo { FrameInfo(id: 0, sequence: 0, timestamp: .blank) }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    try id.pass(through: &cursor)
    try sequence.pass(through: &cursor)
    try timestamp.pass(through: &cursor)
    try isTimestampKnown.pass(through: &cursor)
    try exposureDuration.pass(through: &cursor)
    try readoutDuration.pass(through: &cursor)
    try frameDuration.pass(through: &cursor)
    try analogueGain.pass(through: &cursor)
    try digitalGain.pass(through: &cursor)
    try lensPosition.pass(through: &cursor)
    try exposureState.pass(through: &cursor)
    try whiteBalanceState.pass(through: &cursor)
    try whiteBalanceGains.pass(through: &cursor)
    try colorTemperature.pass(through: &cursor)
    try focusState.pass(through: &cursor)
    try crop.pass(through: &cursor)
    try videoZoomFactor.pass(through: &cursor)
  }
}

extension AdjustmentState: PacketField {
  static var blank: AdjustmentState { .searching }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    try cursor.pass(&self, among: Self.choices)
  }

  private static let choices = allCases
}

extension FocusState: PacketField {
  static var blank: FocusState { .idle }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    try cursor.pass(&self, among: Self.choices)
  }

  private static let choices = allCases
}

extension WhiteBalanceGains: PacketField {
  static var blank: WhiteBalanceGains { WhiteBalanceGains(red: 0, blue: 0) }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    try red.pass(through: &cursor)
    try blue.pass(through: &cursor)
  }
}

extension SensorRegion: PacketField {
  static var blank: SensorRegion {
    SensorRegion(left: 0, top: 0, size: FrameSize(width: 0, height: 0))
  }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    try left.pass(through: &cursor)
    try top.pass(through: &cursor)
    try size.width.pass(through: &cursor)
    try size.height.pass(through: &cursor)
  }
}
