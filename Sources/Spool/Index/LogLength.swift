import CSQLiteCalls
import GRDB

/// How many pages a connection's write-ahead log holds, as its last commit has left it.
final class LogLength {
  private let pages = UnsafeMutablePointer<CInt>.allocate(capacity: 1)

  init() { pages.initialize(to: 0) }

  deinit { pages.deallocate() }

  /// Pages, 0 before the first commit.
  var pageCount: Int { Int(pages.pointee) }

  /// Has a connection, which this must outlive, say it after each commit.
  ///
  /// It takes the place of the automatic checkpoint.
  func watch(_ database: Database) {
    if let connection = database.sqliteConnection { CSQLiteCalls_watchLog(connection, pages) }
  }

  /// Has a connection leave its log as it is when it is closed.
  static func keepAtClose(_ database: Database) {
    if let connection = database.sqliteConnection {
      _ = CSQLiteCalls_keepLogAtClose(connection)
    }
  }
}
