import Devices
import Foundation
import Synchronization

/// A reader of one line, with a timeout, from a pipe or a terminal that edits lines itself.
package struct TerminalLine: Sendable {
  private let descriptor: Int32

  /// Creates a reader of a line; the caller keeps the ownership of the descriptor.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Drops text typed before the question, which does not answer it (`tcflush(3)`).
  package func dropTyped() {
    if isatty(descriptor) == 1 { _ = tcflush(descriptor, TCIFLUSH) }
  }

  /// Reads the line on a separate thread; text after the line stays unread.
  ///
  /// - Returns: `unanswered` at the end of the input or when the task is canceled.
  package func read(within limit: Duration) async -> CommandAnswer {
    let isCancelled = Flag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = Thread {
          continuation.resume(returning: readLine(within: limit, isCancelled))
        }
        thread.name = "terminal-line"
        thread.start()
      }
    } onCancel: {
      isCancelled.set()
    }
  }

  private final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
  }

  private func readLine(within limit: Duration, _ isCancelled: Flag) -> CommandAnswer {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: limit)
    var bytes: [UInt8] = []
    var next: [UInt8] = [0]
    while !isCancelled.isSet {
      guard clock.now < end else { return .timedOut }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 100) > 0 else { continue }
      guard (try? SystemCalls.read(descriptor, into: &next)) == 1 else { return .unanswered }
      if next == [UInt8(ascii: "\n")] { return .line(String(decoding: bytes, as: UTF8.self)) }
      if bytes.count < 4096 { bytes += next }
    }
    return .unanswered
  }
}
