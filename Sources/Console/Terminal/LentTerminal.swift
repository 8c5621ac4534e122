import Foundation
import Synchronization

/// A terminal that a command can have for itself for a while, byte for byte.
public protocol LentTerminal: Sendable {
  /// The descriptor that is written.
  var output: Int32 { get }

  /// Lends the terminal to `body`: what comes is handed over as it is, what is written goes out as
  /// it is. Afterwards the terminal is as it was.
  ///
  /// - Parameters:
  ///   - receive: gets what comes, on a thread that may be kept waiting.
  ///   - body: what needs the terminal.
  func lend(
    to receive: @escaping @Sendable ([UInt8]) -> Void, _ body: @Sendable () async -> Void) async
}

/// The terminal of a program that runs one command.
public struct OwnTerminal: LentTerminal {
  /// The descriptor that is written.
  public let output: Int32
  private let input: Int32

  /// Takes a terminal.
  ///
  /// - Returns: `nil` when one of the descriptors is none.
  public init?(input: Int32, output: Int32) {
    guard isatty(input) == 1, isatty(output) == 1 else { return nil }
    self.input = input
    self.output = output
  }

  /// Lends the terminal to `body`, while a thread reads it.
  public func lend(
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
        let count = Foundation.read(input, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
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

  /// Waits without keeping one of the shared threads.
  private static func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        semaphore.wait()
        continuation.resume()
      }
    }
  }
}

/// The terminal of a console, whose input is read all the time.
struct ConsoleTerminal: LentTerminal {
  let output: Int32
  let input: TerminalInput
  /// Returns when everything is shown that was said before.
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

/// A terminal that lets every byte through both ways, until it is restored.
private final class RawModes: Sendable {
  private let descriptor: Int32
  private let saved: Mutex<termios?>

  /// `tcsetattr(3)` with what `cfmakeraw(3)` makes of the modes.
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
