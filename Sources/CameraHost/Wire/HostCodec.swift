import Devices
import Foundation

/// The encoding of messages as packets of at most ``maximumBytes``.
///
/// The event of a frame comes with every frame, so it has a layout of its own
/// (``FrameEventPacket``). All other messages are few; they are JSON, which is readable in a trace.
/// A packet that is too long or is no message causes an error, never a trap.
package enum HostCodec {
  /// The maximum length of a packet in bytes.
  ///
  /// The kernel's limit for a packet is far higher (`net.core.wmem_default`, 212 992).
  static let maximumBytes = 65_536

  /// A packet that is no message, or a message that is no packet.
  package struct Malformed: Error, Hashable, CustomStringConvertible {
    /// The problem, a clause.
    package var description: String
  }

  private static let infinity = (positive: "inf", negative: "-inf", nan: "nan")

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity.positive, negativeInfinity: infinity.negative, nan: infinity.nan)
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity.positive, negativeInfinity: infinity.negative, nan: infinity.nan)
    return decoder
  }()

  /// Makes the packet of a request.
  ///
  /// - Throws: ``Malformed`` when the message is too long.
  static func packet(of request: HostRequest) throws(Malformed) -> [UInt8] {
    try json(of: request)
  }

  /// Replaces a packet with the packet of a reply; the event of a frame keeps the packet's memory.
  ///
  /// - Throws: ``Malformed`` when the message is too long.
  static func write(_ reply: HostReply, to packet: inout [UInt8]) throws(Malformed) {
    guard case .event(let stream, .frame(let info)) = reply else {
      packet = try json(of: reply)
      return
    }
    try FrameEventPacket(stream: stream, info: info).write(to: &packet)
  }

  /// Reads the packet of a request.
  ///
  /// - Throws: ``Malformed``.
  static func request(in packet: ArraySlice<UInt8>) throws(Malformed) -> HostRequest {
    try message(HostRequest.self, in: packet)
  }

  /// Reads the packet of a reply.
  ///
  /// - Throws: ``Malformed``.
  static func reply(in packet: ArraySlice<UInt8>) throws(Malformed) -> HostReply {
    guard packet.first == FrameEventPacket.tag else {
      return try message(HostReply.self, in: packet)
    }
    let event = try FrameEventPacket(packet)
    return .event(stream: event.stream, .frame(event.info))
  }

  /// Makes the packet of a message as JSON.
  ///
  /// - Throws: ``Malformed`` when the message is too long.
  package static func json(of message: some Encodable) throws(Malformed) -> [UInt8] {
    let packet: [UInt8]
    do {
      packet = try [UInt8](encoder.encode(message))
    } catch {
      throw Malformed(description: "a message cannot be written: \(error)")
    }
    try requireLength(packet.count)
    return packet
  }

  /// Reads a message in a packet of JSON.
  ///
  /// - Throws: ``Malformed``.
  package static func message<Message: Decodable>(
    _ type: Message.Type, in packet: ArraySlice<UInt8>
  ) throws(Malformed) -> Message {
    try requireLength(packet.count)
    do {
      return try decoder.decode(type, from: Data(packet))
    } catch {
      let beginning = String(decoding: packet.prefix(80), as: UTF8.self)
      throw Malformed(description: "\(beginning.debugDescription) is no message")
    }
  }

  private static func requireLength(_ count: Int) throws(Malformed) {
    guard count <= maximumBytes else {
      throw Malformed(description: "a message has \(count) bytes; \(maximumBytes) are the limit")
    }
  }
}
