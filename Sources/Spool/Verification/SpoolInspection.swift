import Foundation
import GRDB

/// What can be said of a spool from outside, while nobody has it open: for finding faults.
///
/// Nothing in the directory is changed or taken. The database is looked at in a copy, because SQLite
/// itself would replay the log into the original.
public struct SpoolInspection: Sendable, Hashable {
  /// What is known of the database.
  public enum Index: Sendable, Hashable {
    /// It was looked through and is in order; so many pictures wait, are parked and quarantined.
    case inOrder(waiting: Int, parked: Int, quarantined: Int)
    /// There is none: the next start makes one from the files.
    case absent
    /// It is damaged, or has contradicted itself: the next start makes it anew from the files.
    case damaged(String)
    /// A newer version wrote it, with this schema.
    case newer(Int64)
    /// A process has the spool open; 0 when its number cannot be seen.
    case inUse(processID: Int32)
    /// It was not looked at, for this reason.
    case unknown(String)
  }

  /// The longest database that is copied, in bytes with its log.
  public static let maximumBytes: Int64 = 64 << 20

  /// What is known of the database.
  public var index: Index
  /// Whether an index that was damaged has been put aside here before (`queue.db.broken`).
  public var wasRebuilt: Bool

  /// Makes an inspection.
  public init(index: Index, wasRebuilt: Bool = false) {
    self.index = index
    self.wasRebuilt = wasRebuilt
  }

  /// Looks at a spool's directory; blocks on the disk.
  ///
  /// - Parameters:
  ///   - directory: the spool's directory.
  ///   - scratch: a directory that may be written, for the copy, which is removed again.
  ///   - locks: where the kernel lists its locks.
  public static func look(
    at directory: String, scratch: String, locks: String = "/proc/locks"
  ) -> SpoolInspection {
    let layout = SpoolLayout(root: directory)
    let files = FileManager.default
    let wasRebuilt = files.fileExists(atPath: layout.database + ".broken")
    return SpoolInspection(
      index: index(layout, scratch: scratch, locks: locks), wasRebuilt: wasRebuilt)
  }

  private static func index(_ layout: SpoolLayout, scratch: String, locks: String) -> Index {
    let files = FileManager.default
    do {
      let names = try files.contentsOfDirectory(atPath: layout.root)
      if let process = holder(of: layout.root + "/lock", locks) {
        return .inUse(processID: process)
      }
      if names.contains("queue.db.distrusted") {
        return .damaged("it contradicted itself when it was last used")
      }
      guard names.contains("queue.db") else { return .absent }
    } catch {
      return .unknown(cause(of: error))
    }
    let copy = scratch + "/platen-inspection-" + UUID().uuidString
    defer { try? files.removeItem(atPath: copy) }
    do {
      let parts = ["queue.db", "queue.db-wal"].filter {
        files.fileExists(atPath: "\(layout.root)/\($0)")
      }
      let bytes = try parts.reduce(Int64(0)) { sum, name in
        let attributes = try files.attributesOfItem(atPath: "\(layout.root)/\(name)")
        return sum + ((attributes[.size] as? NSNumber)?.int64Value ?? 0)
      }
      guard bytes <= maximumBytes else {
        return .unknown("it has \(bytes) bytes, and more than \(maximumBytes) are not copied")
      }
      try files.createDirectory(
        atPath: copy, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      for name in parts {
        try files.copyItem(atPath: "\(layout.root)/\(name)", toPath: "\(copy)/\(name)")
      }
    } catch {
      return .unknown(cause(of: error))
    }
    return contents(of: copy + "/queue.db")
  }

  /// What a database that belongs to nobody says.
  private static func contents(of path: String) -> Index {
    do {
      let queue = try DatabaseQueue(path: path)
      defer { try? queue.close() }
      return try queue.writeWithoutTransaction { database in
        let content = try IndexSchema.content(database)
        switch content {
        case .empty: return .absent
        case .newer(let version): return .newer(version)
        case .foreign: return .damaged("its tables are not the spool's")
        case .older, .current: break
        }
        if let problem = try IndexCheck.problem(
          database, content, wholePages: IndexCheck.wholePages)
        {
          return .damaged(problem)
        }
        var counts: [String: Int] = [:]
        for row in try Row.fetchAll(
          database, sql: "SELECT state, COUNT(*) AS items FROM item GROUP BY state")
        {
          let state = try row.decode(String.self, forColumn: "state")
          counts[state] = try row.decode(Int.self, forColumn: "items")
        }
        return .inOrder(
          waiting: counts["stored"] ?? 0, parked: counts["parked"] ?? 0,
          quarantined: counts["quarantined"] ?? 0)
      }
    } catch let error as RowDecodingError {
      return .damaged("a row cannot be read: \(error)")
    } catch let error as DatabaseError where error.isContradiction {
      return .damaged(error.spoken)
    } catch let error as DatabaseError {
      return .unknown(error.spoken)
    } catch {
      return .unknown("\(error)")
    }
  }

  /// The process that holds the spool's lock, as the kernel lists it: `flock` itself would take it
  /// for a moment, in which a service that starts would fail.
  private static func holder(of path: String, _ locks: String) -> Int32? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let number = attributes[.systemFileNumber] as? NSNumber,
      let text = try? String(contentsOfFile: locks, encoding: .utf8)
    else { return nil }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK",
        words[5].split(separator: ":").last.map(String.init) == number.stringValue
      else { continue }
      return Int32(words[4]) ?? 0
    }
    return nil
  }

  private static func cause(of error: any Error) -> String {
    (error as NSError).localizedDescription
  }
}
