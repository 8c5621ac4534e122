import GRDB
import TestSupport

@testable import Spool

extension Spool {
  /// Adds rows of pictures that wait without their files, which only the next start would notice.
  ///
  /// - Parameters:
  ///   - count: the number of rows, 1 or more.
  ///   - step: the distance of parked pictures, 1 or more; 1 parks all of them.
  func fill(waiting count: Int, parkedEvery step: Int) throws {
    let sql = """
      \(HistoryFiller.sql(items: count, isWaiting: true))
      UPDATE delivery SET state = 'parked' WHERE item > 1000000 AND item % \(step) = 0;
      UPDATE item SET state = 'parked' WHERE sequence > 1000000 AND sequence % \(step) = 0;
      """
    try look { storage throws(SpoolError) in
      try storage.index.own { try $0.execute(sql: sql) }
    }
  }
}
