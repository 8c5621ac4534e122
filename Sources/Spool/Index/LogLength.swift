import CSQLiteCalls
import GRDB

/// The number of pages in a connection's write-ahead log after its last commit.
final class LogLength {
  private let pages = UnsafeMutablePointer<CInt>.allocate(capacity: 1)

  init() { pages.initialize(to: 0) }

  deinit { pages.deallocate() }

  /// The number of pages; 0 before the first commit.
  var pageCount: Int { Int(pages.pointee) }

  /// Has a connection report its log's length after each commit.
  ///
  /// This object must outlive the connection. The report replaces SQLite's automatic checkpoint.
  func watch(_ database: Database) {
    if let connection = database.sqliteConnection { CSQLiteCalls_watchLog(connection, pages) }
  }

  /// Has a connection leave its log as it is at the close.
  static func keepAtClose(_ database: Database) {
    if let connection = database.sqliteConnection {
      _ = CSQLiteCalls_keepLogAtClose(connection)
    }
  }
}
