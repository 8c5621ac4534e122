import Devices
import Synchronization

/// A watch that ends a console after a time without use.
final class IdleWatch: Sendable {
  /// The time that a console may take to end.
  ///
  /// A line of 9600 bits a second sends the 4096 bytes of its kernel queue in less time.
  static let timeout = Duration.seconds(6)

  private let input: TerminalInput
  private let clock: any MonotonicClock
  private let idle: Mutex<IdleLogout?>
  private let onStuck: @Sendable () -> Void

  /// Starts the watch.
  ///
  /// - Parameters:
  ///   - limit: the time without use after which the console ends; `nil` for never.
  ///   - input: the console's input, which the watch ends.
  ///   - onStuck: a function that ends the program. The watch calls the function if the console
  ///     does not end in time because its terminal accepts no output.
  init(
    limit: Duration?, input: TerminalInput, clock: any MonotonicClock,
    onStuck: @escaping @Sendable () -> Void
  ) {
    self.input = input
    self.clock = clock
    self.onStuck = onStuck
    idle = Mutex(limit.map { IdleLogout(limit: $0, now: clock.now) })
  }

  /// Notes a person's activity.
  func noteUse() {
    let now = clock.now
    idle.withLock { $0?.noteInput(at: now) }
  }

  /// Notes that a command begins or continues after a question.
  func noteCommandBegins() {
    let now = clock.now
    idle.withLock { $0?.noteCommandBegins(at: now) }
  }

  /// Notes that a command has ended, or waits for a person's answer.
  func noteCommandEnds() {
    let now = clock.now
    idle.withLock { $0?.noteCommandEnds(at: now) }
  }

  /// Notes that writing a piece of output begins, or that the terminal has accepted the piece.
  func noteWriting(_ isWriting: Bool) {
    let now = clock.now
    idle.withLock { $0?.noteWriting(isWriting, at: now) }
  }

  /// Warns and then ends an unused console; returns when the task is canceled.
  ///
  /// - Parameter warn: a function that announces the end in the given number of seconds.
  func watch(warn: (Int64) -> Void) async {
    while !Task.isCancelled {
      let action = idle.withLock { idle in
        idle?.noteInput(at: input.lastInput)
        return idle?.action(at: clock.now)
      }
      switch action {
      case nil: return
      case .wait(let instant):
        do { try await clock.sleep(until: instant) } catch { return }
      case .warn(let end):
        warn(clock.now.duration(to: end).components.seconds)
      case .logOut:
        input.finish(.idle)
        do { try await clock.sleep(for: Self.timeout) } catch { return }
        return onStuck()
      }
    }
  }
}
