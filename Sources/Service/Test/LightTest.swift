import Capture
import Devices
import Synchronization

/// The test of lights, whose pattern the lights' service shows instead of the true state.
///
/// The pattern belongs to no state of the rig, so that no light ever shows a false `ready` or
/// another false state. All other lights are dark. The pattern has the rest of the test as its
/// lifetime, so that the light goes dark in time even when the process hangs.
final class LightTest: Sendable {
  /// The lights to show, and the end of their test.
  struct Shining: Sendable, Hashable {
    var roles: Set<IndicatorRole>
    /// The end of the test.
    var until: MonotonicInstant
  }

  /// The test's pattern: even blinking that no state of the rig has.
  static let pattern = IndicatorPattern.blink(on: .milliseconds(200), off: .milliseconds(200))

  /// The name of the light's state.
  static let state = "lightTest"

  /// The events at the start and the end of a test.
  let changes = EventHub<Void>()
  private let state = Mutex<Shining?>(nil)

  /// Begins the test of lights until an instant.
  func begin(_ roles: Set<IndicatorRole>, until instant: MonotonicInstant) {
    state.withLock { $0 = Shining(roles: roles, until: instant) }
    changes.send(())
  }

  /// Ends the test.
  func end() {
    state.withLock { $0 = nil }
    changes.send(())
  }

  /// Returns the lights under test at an instant; `nil` without a test.
  func shining(at now: MonotonicInstant) -> Shining? {
    state.withLock { state in state.flatMap { now < $0.until ? $0 : nil } }
  }
}
