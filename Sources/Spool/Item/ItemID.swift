/// The name of an item: `<boot>-<sequence>-<random>`.
///
/// An example is `00002a-0000012345-9f86d081884c7d65`.
///
/// The boot's number is hexadecimal with at least six digits. The sequence number is decimal with
/// at least ten digits. The 64 random bits are 16 hexadecimal digits. All digits are lower case, so
/// names sort by age and cannot be guessed.
package struct ItemID: Sendable, Hashable, LosslessStringConvertible, Codable {
  /// The number of the boot in which the item was stored, 1 or more.
  package let boot: Int64
  /// The number in the order of storing, 1 or more; the spool gives out each number once.
  ///
  /// A picture from elsewhere keeps its ID. Its place in the order is ``ItemRecord/sequence``.
  package let sequence: Int64
  /// Random bits, so that remote names cannot be enumerated.
  package let random: UInt64

  /// The largest boot or sequence number, chosen so that counting never overflows.
  static let numberLimit: Int64 = 1 << 48
  /// The largest number from a file's name or content that the spool continues from.
  ///
  /// Every later number then stays within ``numberLimit``.
  static let countableLimit: Int64 = 1 << 47

  /// Whether the spool itself may have given out a number.
  static func isPossible(_ number: Int64) -> Bool { (0...numberLimit).contains(number) }

  /// Whether the spool may continue from a boot, sequence or press number from elsewhere.
  static func isCountable(_ number: Int64) -> Bool { (0...countableLimit).contains(number) }

  /// Whether the spool may continue from both numbers.
  var isCountable: Bool { Self.isCountable(boot) && Self.isCountable(sequence) }

  init(boot: Int64, sequence: Int64, random: UInt64) {
    self.boot = boot
    self.sequence = sequence
    self.random = random
  }

  /// Reads a name; `nil` unless it is spelled exactly as ``description`` spells it.
  package init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard description.utf8.count <= 60, parts.count == 3,
      let boot = Int64(parts[0], radix: 16), (1...Self.numberLimit).contains(boot),
      let sequence = Int64(parts[1]), (1...Self.numberLimit).contains(sequence),
      let random = UInt64(parts[2], radix: 16)
    else { return nil }
    self.init(boot: boot, sequence: sequence, random: random)
    // Signs, capitals and other widths can be parsed, but the spool does not write them.
    guard self.description == description else { return nil }
  }

  /// The spelling, of the characters `0-9 a-f -` only.
  package var description: String {
    Self.padded(String(boot, radix: 16), 6) + "-" + Self.padded(String(sequence), 10) + "-"
      + Self.padded(String(random, radix: 16), 16)
  }

  /// The directory under `items/`: the last two random digits, so that each of 256 stays small.
  var shard: String { Self.padded(String(random & 0xFF, radix: 16), 2) }

  /// Writes the spelling.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Reads the spelling.
  package init(from decoder: any Decoder) throws {
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
