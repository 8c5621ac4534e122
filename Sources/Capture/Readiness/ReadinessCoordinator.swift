public import Devices
import Synchronization

/// Whether a press is taken, decided at the moment of the call.
public enum Admission: Sendable, Hashable {
  /// A place among the captures in flight is reserved; `streamNumber` says in which stream.
  case admitted(streamNumber: UInt64)
  /// The press is refused.
  case refused(RefusalReason)
}

/// Holds the one ``ReadinessStateMachine`` of a rig for all who ask and all who tell.
///
/// Everything is synchronous and may be called from any thread: a press is admitted or refused
/// before the call returns, so that it cannot fall between two states, and listeners are told of
/// the states in their order.
public final class ReadinessCoordinator: Sendable {
  private struct State {
    var machine: ReadinessStateMachine
    var published: Readiness?
  }

  private let state: Mutex<State>
  private let publish: @Sendable (Readiness) -> Void

  /// Makes the coordinator of a session that does not run.
  ///
  /// - Parameters:
  ///   - maximumCapturesInFlight: how many captures may be in flight at a time, 1 or more.
  ///   - publish: is told of each new readiness; it must return at once and not call back.
  public init(
    maximumCapturesInFlight: Int, publish: @escaping @Sendable (Readiness) -> Void
  ) {
    state = Mutex(
      State(machine: ReadinessStateMachine(maximumCapturesInFlight: maximumCapturesInFlight)))
    self.publish = publish
  }

  /// The readiness now.
  public var readiness: Readiness { state.withLock { $0.machine.readiness } }

  /// The number of the stream whose frames come, or came last.
  var streamNumber: UInt64 { state.withLock { $0.machine.streamNumber } }

  /// Whether a press has been admitted whose frame is not chosen yet.
  var isWaitingForFrames: Bool {
    state.withLock { $0.machine.capturesWaitingForFrame > 0 }
  }

  /// Admits a press and reserves its place, or refuses it.
  ///
  /// - Parameter now: the time of the decision; presses may have to be kept apart.
  /// - Returns: the decision, and the readiness that it was made on.
  public func admit(at now: MonotonicInstant) -> (Admission, Readiness) {
    update { machine in
      machine.advance(to: now)
      let readiness = machine.readiness
      return (machine.admit(at: now), readiness)
    }
  }

  /// Changes the machine and tells the listeners if its readiness is another.
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
