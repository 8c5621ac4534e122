import Capture
import Devices
import Synchronization

/// The light that is tested, for the lights' service to show in place of what is true.
///
/// A test shows a pattern that no state of the rig has, so that no light ever says `ready`, or
/// anything else, that is not true; all other lights are dark. It is over at its end whatever
/// happens: the light gets it as its lifetime, so that it is dark then also when the process hangs.
final class LightTest: Sendable {
  /// What is to be shown.
  struct Shining: Sendable, Hashable {
    var role: IndicatorRole
    /// When it is over.
    var until: MonotonicInstant
  }

  /// What the light shows: even blinking that no state of the rig has.
  static let pattern = IndicatorPattern.blink(on: .milliseconds(200), off: .milliseconds(200))

  /// What the light's state is called.
  static let state = "lightTest"

  /// Tells that a test begins or ends.
  let changes = EventHub<Void>()
  private let state = Mutex<Shining?>(nil)

  /// A light is tested until an instant.
  func begin(_ role: IndicatorRole, until instant: MonotonicInstant) {
    state.withLock { $0 = Shining(role: role, until: instant) }
    changes.send(())
  }

  /// The test is over.
  func end() {
    state.withLock { $0 = nil }
    changes.send(())
  }

  /// The light that is to be shown at an instant; `nil` for what is true.
  func shining(at now: MonotonicInstant) -> Shining? {
    state.withLock { state in state.flatMap { now < $0.until ? $0 : nil } }
  }
}
