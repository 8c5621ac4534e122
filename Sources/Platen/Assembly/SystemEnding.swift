import ServiceLifecycle
import Synchronization

/// What the whole machine is to do once the service has ended cleanly; the first request counts.
///
/// Any part may ask. The service then ends as it does on a signal, and only when pictures are stored
/// and the lights are out is the machine switched off: see ``PlatenService/run(_:log:logger:)``.
final class SystemEnding: Sendable {
  /// What the machine is to do.
  enum Request: String, Sendable, Hashable {
    /// Switch off.
    case powerOff
    /// Start anew.
    case restart
    /// Stay as it is: the service alone ends, and its supervisor starts it again.
    case restartService
  }

  private struct State {
    var request: Request?
    var waiters: [AsyncStream<Void>.Continuation] = []
  }

  private let state = Mutex(State())

  /// What was asked for; `nil` when the service ends for another reason.
  var request: Request? { state.withLock { $0.request } }

  /// Asks for an end; a later request changes nothing.
  ///
  /// - Returns: whether this request is the one that counts.
  @discardableResult
  func request(_ request: Request) -> Bool {
    let waiters = state.withLock { state -> [AsyncStream<Void>.Continuation]? in
      guard state.request == nil else { return nil }
      state.request = request
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters ?? [] { waiter.finish() }
    return waiters != nil
  }

  /// Waits until an end is asked for, or the task is cancelled.
  func wait() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let isOver = state.withLock { state in
      if state.request == nil { state.waiters.append(continuation) }
      return state.request != nil
    }
    if isOver { continuation.finish() }
    for await _ in stream {}
  }
}

/// Ends, and with it gracefully the whole group, when the machine is to be switched off.
struct EndingService: Service {
  let ending: SystemEnding

  func run() async throws {
    await cancelWhenGracefulShutdown { await ending.wait() }
  }
}
