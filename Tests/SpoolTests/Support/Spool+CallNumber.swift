@testable import Spool

extension Spool {
  /// Returns the number of this call, so that two of them show how many calls ran in between.
  func callNumber() -> UInt64 { runningCall ?? 0 }
}
