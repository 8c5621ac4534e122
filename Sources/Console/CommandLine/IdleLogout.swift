public import Devices

/// When a console that nobody uses ends.
///
/// Typing is use, and so is a command that works, however long; one that waits for a person, or for
/// a terminal that takes nothing of what it says, or goes on and on until it is ended, is none. A
/// minute before the end there is a warning; with a limit of less than two minutes it comes at half
/// of it.
public struct IdleLogout: Sendable {
  /// What to do now.
  public enum Action: Sendable, Hashable {
    /// Look again at this instant.
    case wait(until: MonotonicInstant)
    /// Warn that the console ends at this instant.
    case warn(end: MonotonicInstant)
    /// End the console.
    case logOut
  }

  private let limit: Duration
  private var lastUse: MonotonicInstant
  private var isRunning = false
  private var isWriting = false
  private var hasWarned = false

  /// Begins to count.
  ///
  /// - Parameter limit: how long nobody may use the console, more than zero.
  public init(limit: Duration, now: MonotonicInstant) {
    self.limit = limit
    lastUse = now
  }

  /// Something was typed.
  public mutating func noteInput(at instant: MonotonicInstant) {
    guard instant > lastUse else { return }
    lastUse = instant
    hasWarned = false
  }

  /// A command begins to work, or goes on after a question.
  public mutating func noteCommandBegins(at instant: MonotonicInstant) {
    noteInput(at: instant)
    isRunning = true
    isWriting = false
  }

  /// The command has ended, or asks a person and waits.
  public mutating func noteCommandEnds(at instant: MonotonicInstant) {
    noteInput(at: instant)
    isRunning = false
    isWriting = false
  }

  /// A piece of what a command says begins to be written, or the terminal has taken it.
  public mutating func noteWriting(_ isWriting: Bool, at instant: MonotonicInstant) {
    noteInput(at: instant)
    self.isWriting = isWriting
  }

  /// Says what to do at an instant.
  public mutating func action(at now: MonotonicInstant) -> Action {
    let untilWarning = max(limit - .seconds(60), limit / 2)
    // The command may end at once; not later than then a warning is due.
    if isRunning, !isWriting { return .wait(until: now.advanced(by: untilWarning)) }
    let end = lastUse.advanced(by: limit)
    if now >= end { return .logOut }
    let warning = lastUse.advanced(by: untilWarning)
    if now < warning { return .wait(until: warning) }
    // A terminal that takes nothing would not show a warning either.
    if hasWarned || isWriting { return .wait(until: end) }
    hasWarned = true
    return .warn(end: end)
  }

  /// Reads a duration such as `90 s`, `10min` or `1 h`; `0` alone needs no unit.
  ///
  /// - Returns: `nil` for anything else, or for more than a week.
  public static func duration(_ text: String) -> Duration? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard digits.count <= 6, let number = Int(digits) else { return nil }
    let seconds: Int
    switch unit {
    case "" where number == 0: seconds = 0
    case "s": seconds = number
    case "min": seconds = number * 60
    case "h": seconds = number * 3600
    default: return nil
    }
    return seconds <= 7 * 86_400 ? .seconds(seconds) : nil
  }
}
