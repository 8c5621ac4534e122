import Devices
import Synchronization

/// Watches whether a console is used, and ends one that nobody uses.
final class IdleWatch: Sendable {
  /// How long a console may take for its end: a line of 9600 bits a second has the 4096 bytes that
  /// the kernel keeps for it sent in less.
  static let patience = Duration.seconds(6)

  private let input: TerminalInput
  private let clock: any MonotonicClock
  private let idle: Mutex<IdleLogout?>
  private let onStuck: @Sendable () -> Void

  /// Begins to count.
  ///
  /// - Parameters:
  ///   - limit: how long nobody may use the console; `nil` for as long as they like.
  ///   - input: the console's, which ends with it.
  ///   - onStuck: called when the console has not ended in time, because it writes to a terminal
  ///     that takes nothing; ends the program.
  init(
    limit: Duration?, input: TerminalInput, clock: any MonotonicClock,
    onStuck: @escaping @Sendable () -> Void
  ) {
    self.input = input
    self.clock = clock
    self.onStuck = onStuck
    idle = Mutex(limit.map { IdleLogout(limit: $0, now: clock.now) })
  }

  /// Somebody does something.
  func noteUse() {
    let now = clock.now
    idle.withLock { $0?.noteInput(at: now) }
  }

  /// A command begins to work, or goes on after a question.
  func noteCommandBegins() {
    let now = clock.now
    idle.withLock { $0?.noteCommandBegins(at: now) }
  }

  /// The command has ended, or asks a person and waits.
  func noteCommandEnds() {
    let now = clock.now
    idle.withLock { $0?.noteCommandEnds(at: now) }
  }

  /// A piece of what a command says begins to be written, or the terminal has taken it.
  func noteWriting(_ isWriting: Bool) {
    let now = clock.now
    idle.withLock { $0?.noteWriting(isWriting, at: now) }
  }

  /// Warns, and ends the console, when nobody uses it; returns when the task is cancelled.
  ///
  /// - Parameter warn: says that the console ends in so many seconds.
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
        do { try await clock.sleep(for: Self.patience) } catch { return }
        return onStuck()
      }
    }
  }
}
