import Devices

/// A cursor over a packet's bytes that writes each field that it passes, or reads it.
///
/// A list of fields is the same for both directions, so writer and reader cannot differ.
protocol PacketCursor {
  /// Writes a byte, or replaces it with the byte of the packet.
  ///
  /// - Throws: ``HostCodec/Malformed`` when the packet has ended.
  mutating func pass(_ byte: inout UInt8) throws(HostCodec.Malformed)
}

/// A cursor that appends the fields to a packet.
struct PacketWriter: PacketCursor {
  /// The packet so far.
  var bytes: [UInt8] = []

  mutating func pass(_ byte: inout UInt8) throws(HostCodec.Malformed) {
    bytes.append(byte)
  }
}

/// A cursor that reads the fields of a packet.
struct PacketReader: PacketCursor {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// Makes a cursor at the beginning of a packet.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  mutating func pass(_ byte: inout UInt8) throws(HostCodec.Malformed) {
    guard position < bytes.endIndex else {
      throw HostCodec.Malformed(
        description: "a frame's event ends after \(bytes.count.counted("byte"))")
    }
    byte = bytes[position]
    position += 1
  }

  /// Checks that the packet has no more bytes.
  ///
  /// - Throws: ``HostCodec/Malformed``.
  func finish() throws(HostCodec.Malformed) {
    guard position == bytes.endIndex else {
      throw HostCodec.Malformed(
        description: "a frame's event has \((bytes.endIndex - position).counted("byte")) too many")
    }
  }
}

extension PacketCursor {
  /// Passes a value of a list as its place in the list.
  ///
  /// - Throws: ``HostCodec/Malformed``, also for a place outside the list.
  mutating func pass<Choice: Equatable>(
    _ choice: inout Choice, among choices: [Choice]
  ) throws(HostCodec.Malformed) {
    var place = UInt8(choices.firstIndex(of: choice) ?? 0)
    try pass(&place)
    guard choices.indices.contains(Int(place)) else {
      throw HostCodec.Malformed(
        description: "a frame's event has \(place) in place of a number below \(choices.count)")
    }
    choice = choices[Int(place)]
  }
}
