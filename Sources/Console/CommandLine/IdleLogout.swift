package import Devices

/// A timer that ends an unused console.
///
/// Typing is use, and so is a running command, however long. A command that waits for a person or
/// runs without end is no use; nor is output that the terminal does not accept. A warning comes a
/// minute before the end, or at half of a limit below two minutes.
package struct IdleLogout: Sendable {
  /// The next step.
  package enum Action: Sendable, Hashable {
    /// The caller checks again at this instant.
    case wait(until: MonotonicInstant)
    /// The caller warns that the console ends at this instant.
    case warn(end: MonotonicInstant)
    /// The caller ends the console.
    case logOut
  }

  private let limit: Duration
  private var lastUse: MonotonicInstant
  private var isRunning = false
  private var isWriting = false
  private var hasWarned = false

  /// Starts the timer.
  ///
  /// - Parameter limit: the time without use after which the console ends, more than zero.
  package init(limit: Duration, now: MonotonicInstant) {
    self.limit = limit
    lastUse = now
  }

  /// Notes typed input.
  package mutating func noteInput(at instant: MonotonicInstant) {
    guard instant > lastUse else { return }
    lastUse = instant
    hasWarned = false
  }

  /// Notes that a command begins or continues after a question.
  package mutating func noteCommandBegins(at instant: MonotonicInstant) {
    noteInput(at: instant)
    isRunning = true
    isWriting = false
  }

  /// Notes that a command has ended, or waits for a person's answer.
  package mutating func noteCommandEnds(at instant: MonotonicInstant) {
    noteInput(at: instant)
    isRunning = false
    isWriting = false
  }

  /// Notes that writing a piece of output begins, or that the terminal has accepted the piece.
  package mutating func noteWriting(_ isWriting: Bool, at instant: MonotonicInstant) {
    noteInput(at: instant)
    self.isWriting = isWriting
  }

  /// Returns the step for an instant.
  package mutating func action(at now: MonotonicInstant) -> Action {
    let untilWarning = max(limit - .seconds(60), limit / 2)
    // The command may end at any moment; a warning is due no earlier than this wait's end.
    if isRunning, !isWriting { return .wait(until: now.advanced(by: untilWarning)) }
    let end = lastUse.advanced(by: limit)
    if now >= end { return .logOut }
    let warning = lastUse.advanced(by: untilWarning)
    if now < warning { return .wait(until: warning) }
    // A terminal that accepts no output would not show a warning either.
    if hasWarned || isWriting { return .wait(until: end) }
    hasWarned = true
    return .warn(end: end)
  }

  /// Parses a duration such as `90 s`, `10min` or `1 h`; `0` alone needs no unit.
  ///
  /// - Returns: `nil` for any other text and for more than a week.
  package static func duration(_ text: String) -> Duration? {
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
