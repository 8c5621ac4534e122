import Foundation

/// A boot in which the wall clock was right at some time.
struct SynchronisedBoot: Hashable, Codable {
  var number: Int64
  /// The kernel's ID.
  var bootID: String
  /// What is to be added to an instant on `CLOCK_MONOTONIC` of this boot, in nanoseconds.
  var wallMinusMonotonicNanoseconds: Int64
  /// Who said so, for example `timesyncd`.
  var source: String
}

/// The synchronised boots outside the database, so that a lost index does not take them along.
///
/// They lie in `boots.json`, the newest ``limit`` of them, and are replaced atomically. The file is
/// written before the database is; the start brings both in agreement.
struct BootBook: Hashable, Codable {
  static let fileName = "boots.json"
  /// How many boots are kept.
  static let limit = 64

  private(set) var boots: [SynchronisedBoot] = []

  /// Adds or replaces a boot and forgets the oldest beyond the limit.
  mutating func add(_ boot: SynchronisedBoot) {
    boots.removeAll { $0.number == boot.number || $0.bootID == boot.bootID }
    boots.append(boot)
    boots.sort { $0.number < $1.number }
    boots.removeFirst(max(0, boots.count - Self.limit))
  }

  /// Reads the file; an empty book when it is missing or damaged.
  static func read(from directory: String, files: any FileSystem) -> BootBook {
    var book = BootBook()
    guard let bytes = try? files.readFile(directory + "/" + fileName, limit: 1 << 16),
      let found = try? JSONDecoder().decode(BootBook.self, from: Data(bytes))
    else { return book }
    for boot in found.boots.suffix(limit)
    where boot.number > 0 && ItemID.isCountable(boot.number) && !boot.bootID.isEmpty {
      book.add(boot)
    }
    return book
  }

  /// Makes the book durable.
  func write(to directory: String, files: any FileSystem) throws(SpoolError) {
    do {
      try files.replaceFile(Self.fileName, in: directory, Array(SpoolJSON.encode(self)))
    } catch let error as SystemError {
      throw SpoolError(writing: error)
    } catch {
      throw SpoolError(.failed, Self.fileName, "cannot be encoded", cause: "\(error)")
    }
  }
}
