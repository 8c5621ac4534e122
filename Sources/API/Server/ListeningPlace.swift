import ServiceLifecycle
import Synchronization

/// A place at which the API is served, or the accounts that may use the API.
package enum ListeningPlace: Sendable, Hashable {
  /// The Unix socket.
  case socket
  /// An address of TCP.
  case network
  /// The accounts that may use the API.
  case accounts
}

/// A record that calls a closure once all places of the API have been tried.
final class ListeningPlaces: Sendable {
  private let awaited: Mutex<Set<ListeningPlace>>
  private let whenAll: @Sendable () async -> Void

  init(_ places: Set<ListeningPlace>, whenAll: @escaping @Sendable () async -> Void) {
    awaited = Mutex(places)
    self.whenAll = whenAll
  }

  /// Notes that a place takes connections, or cannot; a repetition does nothing.
  func note(_ place: ListeningPlace) async {
    let isLast = awaited.withLock { $0.remove(place) != nil && $0.isEmpty }
    if isLast { await whenAll() }
  }
}

/// The pauses between attempts at a place: 1 s, then twice as long each time, up to 30 s.
struct ListeningRetry {
  private static let longest = Duration.seconds(30)

  private var interval = Duration.seconds(1)

  /// Waits and returns whether to retry, which is `false` once the server ends.
  mutating func pause() async -> Bool {
    let pause = interval
    interval = min(interval * 2, Self.longest)
    do {
      try await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
      return true
    } catch {
      return false
    }
  }
}
