import Dispatch
import Foundation
import Synchronization

/// The signals of a console as events of its input.
///
/// SIGINT acts like Ctrl-C, SIGHUP and SIGTERM end the console, and SIGWINCH reports a new size.
package final class ConsoleSignals: Sendable {
  private let sources: Mutex<[any DispatchSourceSignal]>

  /// Handles the signals from now on, on a separate queue.
  ///
  /// - Parameter onSecondRequest: a function called for a second request to end.
  package init(_ input: TerminalInput, onSecondRequest: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "console.signals")
    // A console has no job control, and a vanished reader must not kill the program.
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
          if isSecond { onSecondRequest() }
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
