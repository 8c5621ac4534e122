/// The name of an item: `<boot>-<sequence>-<random>`, for example
/// `00002a-0000012345-9f86d081884c7d65`.
///
/// The boot's number is hexadecimal with six digits or more, the sequence number decimal with ten
/// or more, and the 64 random bits are 16 hexadecimal digits, all lower case; so names sort by age
/// and cannot be guessed.
public struct ItemID: Sendable, Hashable, LosslessStringConvertible, Codable {
  /// The number of the boot in which the item was stored, 1 or more.
  public let boot: Int64
  /// The number in the order in which this spool stores, 1 or more; it gives each out once.
  ///
  /// A picture that was brought in from elsewhere keeps its ID; its place in the order is
  /// ``ItemRecord/sequence``.
  public let sequence: Int64
  /// Random bits, so that remote names cannot be enumerated.
  public let random: UInt64

  /// No boot or sequence number is larger, so that counting on never overflows.
  static let numberLimit: Int64 = 1 << 48
  /// No number from a file's name or content is counted on from when it is larger, so that every one
  /// that follows is within the limit for good.
  static let countableLimit: Int64 = 1 << 47

  /// Whether a number may be one that the spool itself has given out.
  static func isPossible(_ number: Int64) -> Bool { (0...numberLimit).contains(number) }

  /// Whether a boot, sequence or press number from elsewhere may be counted on from.
  static func isCountable(_ number: Int64) -> Bool { (0...countableLimit).contains(number) }

  /// Whether both numbers may be counted on from.
  var isCountable: Bool { Self.isCountable(boot) && Self.isCountable(sequence) }

  init(boot: Int64, sequence: Int64, random: UInt64) {
    self.boot = boot
    self.sequence = sequence
    self.random = random
  }

  /// Reads a name; `nil` unless it is spelled exactly as ``description`` spells it.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard description.utf8.count <= 60, parts.count == 3,
      let boot = Int64(parts[0], radix: 16), (1...Self.numberLimit).contains(boot),
      let sequence = Int64(parts[1]), (1...Self.numberLimit).contains(sequence),
      let random = UInt64(parts[2], radix: 16)
    else { return nil }
    self.init(boot: boot, sequence: sequence, random: random)
    // Signs, capitals and other widths were read too, but are not ours.
    guard self.description == description else { return nil }
  }

  /// The spelling, of the characters `0-9 a-f -` only.
  public var description: String {
    Self.padded(String(boot, radix: 16), 6) + "-" + Self.padded(String(sequence), 10) + "-"
      + Self.padded(String(random, radix: 16), 16)
  }

  /// The directory under `items/`: the last two random digits, so that each of 256 stays small.
  var shard: String { Self.padded(String(random & 0xFF, radix: 16), 2) }

  /// Writes the spelling.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Reads the spelling.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ItemID(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no item ID: \(text)")
    }
    self = id
  }

  private static func padded(_ digits: String, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
