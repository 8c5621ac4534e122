import Foundation
import Synchronization

/// One line of a terminal that edits lines itself, or of a pipe, with a limit of time.
public struct TerminalLine: Sendable {
  private let descriptor: Int32

  /// Makes a reader of one line; the descriptor stays the caller's.
  public init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Drops what was typed on a terminal and nobody has read (`tcflush(3)`): it is no answer to what
  /// is asked from now on.
  public func dropTyped() {
    if isatty(descriptor) == 1 { _ = tcflush(descriptor, TCIFLUSH) }
  }

  /// Reads the line on a thread of its own; what follows it stays unread.
  ///
  /// - Returns: `nobody` at the end of the input, or when the task is cancelled.
  public func read(within limit: Duration) async -> CommandAnswer {
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
    while !isCancelled.isSet {
      guard clock.now < end else { return .timedOut }
      var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wish, 1, 100) > 0 else { continue }
      var byte: UInt8 = 0
      let count = Foundation.read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .nobody }
      if byte == UInt8(ascii: "\n") { return .line(String(decoding: bytes, as: UTF8.self)) }
      if bytes.count < 4096 { bytes.append(byte) }
    }
    return .nobody
  }
}
