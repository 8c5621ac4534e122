import Dispatch

/// A place in a blocking call at which a test holds it.
final class Gate: Sendable {
  private let closed = Trigger()
  private let reached = Trigger()
  private let hung = Trigger()
  private let opening = DispatchSemaphore(value: 0)

  /// Whether a call waits at the closed gate.
  var isReached: Bool { reached.isArmed }
  /// Whether every call has come through when the gate was opened.
  var isPassed: Bool { !hung.isArmed }

  /// Holds the next call.
  func close() { closed.arm() }

  /// Lets the held call go on.
  func open() {
    reached.disarm()
    opening.signal()
  }

  /// Waits while the gate is closed; five minutes are a limit for hangs, and not for speed.
  func pass() {
    guard closed.isArmed else { return }
    closed.disarm()
    reached.arm()
    if opening.wait(timeout: .now() + 300) == .timedOut { hung.arm() }
  }
}
