import API
import Synchronization

/// Whether the API is served over TCP, for those who ask why it is not.
final class NetworkListening: Sendable {
  private let state = Mutex<NetworkError?>(nil)

  /// Why it is not; `nil` while it is, and where it is not configured.
  var problem: String? { state.withLock { $0?.description } }

  /// Notes why it is not, or `nil` once it is.
  func note(_ error: NetworkError?) { state.withLock { $0 = error } }
}
