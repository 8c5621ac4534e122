import ServiceLifecycle
import Synchronization

/// The request to end the service or the machine after a clean end; the first request counts.
///
/// Any part may ask. The service then ends as on a signal. The machine powers off only after
/// pictures are stored and the lights are out: see ``PlatenService/run(_:log:logger:)``.
final class SystemEnding: Sendable {
  /// The kinds of ends.
  enum Request: String, Sendable, Hashable {
    /// The machine powers off.
    case powerOff
    /// The machine reboots.
    case restart
    /// The service alone ends, and its supervisor restarts it.
    case restartService
  }

  private struct State {
    var request: Request?
    var waiters: [AsyncStream<Void>.Continuation] = []
  }

  private let state = Mutex(State())

  /// The request; `nil` when the service ends for another reason.
  var request: Request? { state.withLock { $0.request } }

  /// Requests an end; a later request changes nothing.
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

  /// Waits until an end is requested or the task is cancelled.
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

/// A service that returns when an end is requested, which gracefully stops the whole group.
struct EndingService: Service {
  let ending: SystemEnding

  func run() async throws {
    await cancelWhenGracefulShutdown { await ending.wait() }
  }
}
