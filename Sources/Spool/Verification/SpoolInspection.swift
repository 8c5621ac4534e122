import Foundation
import GRDB

/// An inspection of a spool from outside, while no process has it open, to find faults.
///
/// Nothing in the directory is changed or locked. The database is examined in a copy, because
/// SQLite itself would replay the log into the original.
package struct SpoolInspection: Sendable, Hashable {
  /// The state of the database.
  package enum Index: Sendable, Hashable {
    /// The database is in order, with these numbers of waiting, parked and quarantined pictures.
    case inOrder(waiting: Int, parked: Int, quarantined: Int)
    /// There is no database; the next start makes one from the files.
    case absent
    /// The database is damaged or contradicts itself; the next start rebuilds it from the files.
    case damaged(String)
    /// A newer version wrote the database, with this schema.
    case newer(Int64)
    /// A process has the spool open; its number is 0 when it cannot be seen.
    case inUse(processID: Int32)
    /// The database was not examined, for this reason.
    case unknown(String)
  }

  /// The largest database that is copied, in bytes with its log.
  package static let maximumBytes: Int64 = 64 << 20

  /// The state of the database.
  package var index: Index
  /// Whether a damaged index has been set aside here before (`queue.db.broken`).
  package var wasRebuilt: Bool = false

  /// Inspects a spool's directory; blocks on the disk.
  ///
  /// - Parameters:
  ///   - directory: the spool's directory.
  ///   - scratch: a writable directory for the copy, which is removed again.
  ///   - locks: the path of the kernel's list of locks.
  package static func look(
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

  /// Examines a copy of the database.
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

  /// Returns the process that holds the spool's lock, as the kernel lists it.
  ///
  /// `flock` itself would take the lock for a moment, in which a start of the service would fail.
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
