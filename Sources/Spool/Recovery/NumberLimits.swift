import Foundation

/// The upper bounds of all numbers that were ever given out, kept outside the database.
///
/// The database holds the exact numbers. When the database has to be rebuilt, delivered items have
/// left no trace in the files. These bounds are always ahead and keep sequence and press numbers
/// from being given out twice. `numbers.json` holds the bounds. The file is replaced atomically,
/// once per boot and once per ``step`` numbers.
struct NumberLimits: Hashable, Codable {
  static let fileName = "numbers.json"
  /// The distance by which a bound is set ahead.
  static let step: Int64 = 1024

  /// The number of the latest boot.
  var boot: Int64 = 0
  var bootID = ""
  /// The bound that every sequence number given out is below.
  var sequence: Int64 = 1
  /// The bound that every press number given out is below.
  var press: Int64 = 1

  /// Whether the numbers below these bounds may be used without writing the file first.
  func covers(sequence: Int64, press: Int64) -> Bool {
    sequence <= self.sequence && press <= self.press
  }

  /// Raises the bounds that are too low to these numbers plus a step.
  mutating func raise(sequence: Int64, press: Int64) {
    if sequence > self.sequence { self.sequence = sequence + Self.step }
    if press > self.press { self.press = press + Self.step }
  }

  /// Reads the file; `nil` when the file is missing or damaged, or holds an impossible number.
  static func read(from directory: String, files: any FileSystem) -> NumberLimits? {
    guard let bytes = try? files.readFile(directory + "/" + fileName, limit: 4096),
      let limits = try? JSONDecoder().decode(NumberLimits.self, from: Data(bytes)),
      ItemID.isPossible(limits.boot), limits.sequence >= 1,
      ItemID.isPossible(limits.sequence), limits.press >= 1, ItemID.isPossible(limits.press)
    else { return nil }
    return limits
  }

  /// Makes the bounds durable.
  func write(to directory: String, files: any FileSystem) throws(SpoolError) {
    try SpoolJSON.write(self, to: Self.fileName, in: directory, files)
  }
}
