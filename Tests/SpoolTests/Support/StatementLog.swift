import Synchronization

/// The statements that a database ran, each once.
final class StatementLog: Sendable {
  private let noted = Mutex<Set<String>>([])
  var statements: Set<String> { noted.withLock { $0 } }
  func note(_ sql: String) { noted.withLock { _ = $0.insert(sql) } }
}
