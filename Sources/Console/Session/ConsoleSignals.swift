import Dispatch
import Foundation
import Synchronization

/// The signals of a console, as events of its input.
///
/// SIGINT does what Ctrl-C does, SIGHUP and SIGTERM end the console, SIGWINCH tells of another size.
public final class ConsoleSignals: Sendable {
  private let sources: Mutex<[any DispatchSourceSignal]>

  /// Takes the signals over from now on, on a queue of their own.
  ///
  /// - Parameter onImpatience: called when the console is told to end once more while it ends.
  public init(_ input: TerminalInput, onImpatience: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "console.signals")
    // A console has no job control, and a reader that is gone is no reason to die in between.
    for number in [SIGTSTP, SIGTTIN, SIGTTOU, SIGQUIT, SIGPIPE] { signal(number, SIG_IGN) }
    let isEnding = Mutex(false)
    let actions: [(Int32, @Sendable () -> Void)] = [
      (SIGINT, { input.interrupt() }), (SIGWINCH, { input.resize() }),
    ]
    let ends: [(Int32, @Sendable () -> Void)] = [SIGHUP, SIGTERM].map { number in
      (
        number,
        {
          let isSecond = isEnding.withLock { isEnding in
            defer { isEnding = true }
            return isEnding
          }
          if isSecond { onImpatience() }
          input.finish(.hangUp)
        }
      )
    }
    sources = Mutex(
      (actions + ends).map { number, action in
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: action)
        source.resume()
        return source
      })
  }

  deinit {
    sources.withLock { sources in
      for source in sources { source.cancel() }
    }
  }
}
