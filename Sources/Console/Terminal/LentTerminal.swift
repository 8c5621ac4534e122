import Devices
import Foundation
import Synchronization

/// A terminal that a command can use exclusively for a while, byte for byte.
package protocol LentTerminal: Sendable {
  /// The descriptor of the output.
  var output: Int32 { get }

  /// Lends the terminal to `body` with unchanged input and output, then restores the terminal.
  ///
  /// - Parameters:
  ///   - receive: a function that takes the input, on a thread that may block.
  ///   - body: the function that needs the terminal.
  func lend(
    to receive: @escaping @Sendable ([UInt8]) -> Void, _ body: @Sendable () async -> Void) async
}

/// The terminal of a program that runs a single command.
package struct OwnTerminal: LentTerminal {
  /// The descriptor of the output.
  package let output: Int32
  private let input: Int32

  /// Takes a terminal.
  ///
  /// - Returns: `nil` when one of the descriptors is not a terminal.
  package init?(input: Int32, output: Int32) {
    guard isatty(input) == 1, isatty(output) == 1 else { return nil }
    self.input = input
    self.output = output
  }

  /// Lends the terminal to `body` while a thread reads the input.
  package func lend(
    to receive: @escaping @Sendable ([UInt8]) -> Void, _ body: @Sendable () async -> Void
  ) async {
    let modes = RawModes(input)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    let (stop, stopping) = (ends[0], ends[1])
    let isRead = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [input] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        var events = [
          pollfd(fd: input, events: Int16(POLLIN), revents: 0),
          pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        if poll(&events, 2, -1) < 0, errno == EINTR { continue }
        guard events[1].revents == 0, events[0].revents != 0 else { break }
        guard let count = try? SystemCalls.read(input, into: &buffer), count > 0 else { break }
        receive(Array(buffer[..<count]))
      }
      isRead.signal()
    }
    await body()
    close(stopping)
    await Self.wait(for: isRead)
    close(stop)
    modes.restore()
  }

  /// Waits without blocking one of the shared threads.
  private static func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        semaphore.wait()
        continuation.resume()
      }
    }
  }
}

/// The terminal of a console, whose input is always being read.
struct ConsoleTerminal: LentTerminal {
  let output: Int32
  let input: TerminalInput
  /// A function that returns when all earlier output is shown.
  let flush: @Sendable () async -> Void

  func lend(
    to receive: @escaping @Sendable ([UInt8]) -> Void, _ body: @Sendable () async -> Void
  ) async {
    await flush()
    let modes = RawModes(output)
    input.divert(to: receive)
    await body()
    input.divert(to: nil)
    modes.restore()
  }
}

/// A terminal in raw mode, until it is restored.
private final class RawModes: Sendable {
  private let descriptor: Int32
  private let saved: Mutex<termios?>

  /// Sets the modes that `cfmakeraw(3)` makes, by `tcsetattr(3)`.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else {
      saved = Mutex(nil)
      return
    }
    saved = Mutex(modes)
    cfmakeraw(&modes)
    _ = tcsetattr(descriptor, TCSADRAIN, &modes)
  }

  func restore() {
    saved.withLock { saved in
      guard var modes = saved else { return }
      saved = nil
      _ = tcsetattr(descriptor, TCSADRAIN, &modes)
    }
  }

  deinit { restore() }
}
