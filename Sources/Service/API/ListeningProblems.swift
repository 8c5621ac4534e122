import API
import Synchronization

/// The reasons why the API is not served as configured.
final class ListeningProblems: Sendable {
  private let problems = Mutex<[ListeningPlace: String]>([:])

  /// Returns why the API is not served at a place; `nil` while it is served or none is configured.
  func problem(at place: ListeningPlace) -> String? { problems.withLock { $0[place] } }

  /// Notes why the API is not served at a place, or `nil` once it is.
  func note(_ problem: String?, at place: ListeningPlace) {
    problems.withLock { $0[place] = problem }
  }
}
