import Foundation

/// A boot in which the wall clock was right at some time.
struct SynchronizedBoot: Hashable, Codable {
  var number: Int64
  /// The kernel's ID.
  var bootID: String
  /// The wall clock minus `CLOCK_MONOTONIC` of this boot, in nanoseconds.
  var wallMinusMonotonicNanoseconds: Int64
  /// The source of the offset, for example `timesyncd`.
  var source: String
}

/// The synchronized boots outside the database, so that a lost index does not lose them.
///
/// `boots.json` holds the newest ``limit`` boots and is replaced atomically. The file is written
/// before the database. The start brings both into agreement.
struct BootHistory: Hashable, Codable {
  static let fileName = "boots.json"
  /// The number of boots that are kept.
  static let limit = 64

  private(set) var boots: [SynchronizedBoot] = []

  /// Adds or replaces a boot and forgets the oldest beyond the limit.
  mutating func add(_ boot: SynchronizedBoot) {
    boots.removeAll { $0.number == boot.number || $0.bootID == boot.bootID }
    boots.append(boot)
    boots.sort { $0.number < $1.number }
    boots.removeFirst(max(0, boots.count - Self.limit))
  }

  /// Reads the file; gives an empty history when the file is missing or damaged.
  static func read(from directory: String, files: any FileSystem) -> BootHistory {
    var history = BootHistory()
    guard let bytes = try? files.readFile(directory + "/" + fileName, limit: 1 << 16),
      let found = try? JSONDecoder().decode(BootHistory.self, from: Data(bytes))
    else { return history }
    for boot in found.boots.suffix(limit)
    where boot.number > 0 && ItemID.isCountable(boot.number) && !boot.bootID.isEmpty {
      history.add(boot)
    }
    return history
  }

  /// Makes the history durable.
  func write(to directory: String, files: any FileSystem) throws(SpoolError) {
    try SpoolJSON.write(self, to: Self.fileName, in: directory, files)
  }
}
