import Foundation

@testable import Spool

extension Spool {
  /// Occupies the spool's own queue, as a call does that waits for the disk.
  ///
  /// - Parameters:
  ///   - disk: the semaphore whose signal ends the call.
  ///   - begun: gets an element as soon as the call has the queue.
  func wait(for disk: DispatchSemaphore, _ begun: AsyncStream<Void>.Continuation) {
    begun.yield()
    disk.wait()
  }
}
