import Foundation

/// The encoding of messages as packets: JSON of at most ``maximumBytes``.
///
/// JSON suffices, because the messages are small and few (one per frame), and is readable in a
/// trace. A packet that is too long, is no JSON or is no message causes an error, never a trap.
enum HostCodec {
  /// The maximum length of a packet in bytes.
  ///
  /// The kernel's limit for a packet is far higher (`net.core.wmem_default`, 212 992).
  static let maximumBytes = 65_536

  /// A packet that is no message, or a message that is no packet.
  struct Malformed: Error, Hashable, CustomStringConvertible {
    /// The problem, a clause.
    var description: String
  }

  private static let infinity = (positive: "inf", negative: "-inf", nan: "nan")

  /// Makes a packet.
  ///
  /// - Throws: ``Malformed`` when the message is too long.
  static func encode(_ message: some Encodable) throws(Malformed) -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity.positive, negativeInfinity: infinity.negative, nan: infinity.nan)
    let packet: Data
    do {
      packet = try encoder.encode(message)
    } catch {
      throw Malformed(description: "a message cannot be written: \(error)")
    }
    guard packet.count <= maximumBytes else {
      throw Malformed(
        description: "a message has \(packet.count) bytes; \(maximumBytes) are the limit")
    }
    return packet
  }

  /// Reads a packet.
  ///
  /// - Throws: ``Malformed``.
  static func decode<Message: Decodable>(
    _ type: Message.Type, from packet: Data
  ) throws(Malformed) -> Message {
    guard packet.count <= maximumBytes else {
      throw Malformed(
        description: "a message has \(packet.count) bytes; \(maximumBytes) are the limit")
    }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity.positive, negativeInfinity: infinity.negative, nan: infinity.nan)
    do {
      return try decoder.decode(type, from: packet)
    } catch {
      let beginning = String(decoding: packet.prefix(80), as: UTF8.self)
      throw Malformed(description: "\(beginning.debugDescription) is no message")
    }
  }
}
