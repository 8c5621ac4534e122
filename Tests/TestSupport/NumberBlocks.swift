import Synchronization

/// Numbers from 1 on in blocks, none of them twice, as a spool reserves them for presses.
package final class NumberBlocks: Sendable {
  private let next = Mutex<Int64>(1)

  package init() {}

  /// Returns the next block of so many numbers.
  package func reserve(_ count: Int) -> Range<Int64> {
    next.withLock { next in
      defer { next += Int64(count) }
      return next..<(next + Int64(count))
    }
  }
}
