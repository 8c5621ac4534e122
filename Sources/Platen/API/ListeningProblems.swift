import API
import Synchronization

/// Why the API is not served as it is configured, for those who ask.
final class ListeningProblems: Sendable {
  private let problems = Mutex<[ListeningPlace: String]>([:])

  /// Why it is not served at a place; `nil` while it is, and where none is configured.
  func problem(at place: ListeningPlace) -> String? { problems.withLock { $0[place] } }

  /// Notes why it is not, or `nil` once it is.
  func note(_ problem: String?, at place: ListeningPlace) {
    problems.withLock { $0[place] = problem }
  }
}
