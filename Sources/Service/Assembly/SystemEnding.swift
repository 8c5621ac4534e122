import Devices
import ServiceLifecycle
import Synchronization

/// The request to end the service or the machine after a clean end; the first request counts.
///
/// Any part may ask. The service then ends as on a signal. The machine powers off only after
/// pictures are stored and the lights are out: see ``PlatenService/run(_:prepared:log:logger:)``.
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

  private let counting = Mutex<Request?>(nil)
  /// A hub without events, which is finished by the request.
  private let requested = EventHub<Void>()

  /// The request; `nil` when the service ends for another reason.
  var request: Request? { counting.withLock { $0 } }

  /// Requests an end; a later request changes nothing.
  ///
  /// - Returns: whether this request is the one that counts.
  @discardableResult
  func request(_ request: Request) -> Bool {
    let isFirst = counting.withLock { counting in
      guard counting == nil else { return false }
      counting = request
      return true
    }
    if isFirst { requested.finish() }
    return isFirst
  }

  /// Waits until an end is requested or the task is canceled.
  func wait() async {
    for await _ in requested.listen() {}
  }
}

/// A service that returns when an end is requested, which gracefully stops the whole group.
struct EndingService: Service {
  let ending: SystemEnding

  func run() async throws {
    await cancelWhenGracefulShutdown { await ending.wait() }
  }
}
