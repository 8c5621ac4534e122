import Synchronization

/// A number of calls, counted on any thread.
package final class CallCount: Sendable {
  private let calls = Mutex(0)

  package init() {}

  package var count: Int { calls.withLock { $0 } }

  package func add() { calls.withLock { $0 += 1 } }
}
