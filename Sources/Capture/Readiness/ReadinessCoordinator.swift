package import Devices
import Synchronization

/// The decision whether a press is taken, made at the moment of the call.
package enum Admission: Sendable, Hashable {
  /// A place among the captures in flight is reserved; `streamNumber` names the stream.
  case admitted(streamNumber: UInt64)
  /// The press is refused.
  case refused(RefusalReason)
}

/// Holds the rig's only ``ReadinessStateMachine`` for all its readers and writers.
///
/// All calls are synchronous and may be made from any thread. A press is admitted or refused before
/// the call returns, so that it cannot fall between two states. Listeners receive the states in
/// order.
package final class ReadinessCoordinator: Sendable {
  private struct State {
    var machine: ReadinessStateMachine
    var published: Readiness?
  }

  private let state: Mutex<State>
  private let publish: @Sendable (Readiness) -> Void

  /// Makes the coordinator of a session that does not run.
  ///
  /// - Parameters:
  ///   - maximumCapturesInFlight: the maximum number of captures in flight, 1 or more.
  ///   - publish: receives each new readiness; it must return at once and not call back.
  package init(
    maximumCapturesInFlight: Int, publish: @escaping @Sendable (Readiness) -> Void
  ) {
    state = Mutex(
      State(machine: ReadinessStateMachine(maximumCapturesInFlight: maximumCapturesInFlight)))
    self.publish = publish
  }

  /// The readiness now.
  package var readiness: Readiness { state.withLock { $0.machine.readiness } }

  /// The lasting interruptions and warnings, and the newest ended ones.
  var interruptions: InterruptionLog { state.withLock { $0.machine.interruptions } }

  /// The number of the current or last stream.
  var streamNumber: UInt64 { state.withLock { $0.machine.streamNumber } }

  /// Returns the next time that alone changes the readiness; `nil` when there is none.
  func nextChange(after now: MonotonicInstant) -> MonotonicInstant? {
    state.withLock { $0.machine.nextChange(after: now) }
  }

  /// Whether the frame of an admitted press is not chosen yet, or a bracket has not ended.
  var isWaitingForFrames: Bool {
    state.withLock { $0.machine.capturesWaitingForFrame > 0 || $0.machine.isBracketing }
  }

  /// Whether a bracket changes the camera's controls.
  var isBracketing: Bool { state.withLock { $0.machine.isBracketing } }

  /// Admits a press and reserves its place, or refuses it.
  ///
  /// - Parameters:
  ///   - now: the time of the decision; presses may be spaced.
  ///   - isBracket: whether the press is for a bracket.
  /// - Returns: the decision, and the readiness that it was based on.
  package func admit(
    at now: MonotonicInstant, isBracket: Bool = false
  ) -> (Admission, Readiness) {
    update { machine in
      machine.advance(to: now)
      let readiness = machine.readiness
      return (machine.admit(at: now, isBracket: isBracket), readiness)
    }
  }

  /// Changes the machine and publishes its readiness if that has changed.
  func update<Success>(_ body: (inout ReadinessStateMachine) -> sending Success) -> sending Success
  {
    state.withLock { state in
      let result = body(&state.machine)
      let readiness = state.machine.readiness
      if readiness != state.published {
        state.published = readiness
        publish(readiness)
      }
      return result
    }
  }
}
