import Dispatch
import Foundation
import Synchronization

/// A runner for displays that end with a key press, at a terminal without a console.
package enum AnyKey {
  /// The reason for an end.
  package enum End: Sendable, Hashable {
    /// The display ended by itself.
    case done
    /// A key was pressed, including Ctrl-C, or the terminal has gone.
    case key
    /// The program received a signal with this number.
    case signal(Int32)
  }

  /// Runs a display until it ends or a key is pressed, and then restores the terminal's modes.
  ///
  /// Keys arrive as bytes meanwhile and are not echoed. SIGINT, SIGTERM and SIGHUP from elsewhere
  /// end the display too. Without a terminal, the display runs to its own end.
  ///
  /// - Throws: the errors of `body`, unless a key ended the display.
  package static func ends(
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> End {
    guard isatty(STDIN_FILENO) == 1 else {
      try await body()
      return .done
    }
    let (ends, announce) = AsyncStream.makeStream(of: End.self)
    let sources = Sources(announce)
    let modes = TerminalModes(STDIN_FILENO)
    defer {
      sources.cancel()
      modes.restore()
    }
    return try await withThrowingTaskGroup(of: End.self) { group in
      group.addTask {
        try await body()
        return .done
      }
      group.addTask { await ends.first { _ in true } ?? .done }
      do {
        let end = try await group.next() ?? .done
        group.cancelAll()
        // The last drawing must be completed.
        while let _ = try? await group.next() {}
        return end
      } catch {
        group.cancelAll()
        throw error
      }
    }
  }

  /// The sources of keys and signals.
  private final class Sources: Sendable {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private let sources: Mutex<(keys: any DispatchSourceRead, signals: any DispatchSourceRead)>
    /// The previous signal handlers; `nil` is SIG_DFL.
    private let before: [(@convention(c) (Int32) -> Void)?]

    init(_ announce: AsyncStream<End>.Continuation) {
      let queue = DispatchQueue(label: "console.keys")
      func source(
        _ descriptor: Int32, _ end: @escaping @Sendable (UInt8) -> End
      ) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
          var buffer = [UInt8](repeating: 0, count: 64)
          _ = read(descriptor, &buffer, buffer.count)
          announce.yield(end(buffer[0]))
        }
        source.resume()
        return source
      }
      sources = Mutex(
        (
          source(STDIN_FILENO) { _ in .key },
          source(SignalPipe.ends.read) { .signal(Int32($0)) }
        ))
      before = Self.numbers.map { signal($0, SignalPipe.handler) }
    }

    func cancel() {
      for (number, handler) in zip(Self.numbers, before) { _ = signal(number, handler) }
      sources.withLock { sources in
        sources.keys.cancel()
        sources.signals.cancel()
      }
    }
  }

  /// A pipe that carries signals; a signal handler may do nothing but write to the pipe.
  private enum SignalPipe {
    static let ends: (read: Int32, write: Int32) = {
      var descriptors: [Int32] = [-1, -1]
      _ = pipe(&descriptors)
      for descriptor in descriptors {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      }
      return (descriptors[0], descriptors[1])
    }()

    static let handler: @convention(c) (Int32) -> Void = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(ends.write, &byte, 1)
      errno = saved
    }
  }
}
