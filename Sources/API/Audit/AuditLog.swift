/// What the API needs of the log of all that was done over it.
public protocol AuditLog: Sendable {
  /// Enters a note, with the time of its own clock; on return it is on stable storage.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``, when it is not entered.
  func enter(_ note: AuditNote) async throws(APIError)

  /// Enters a note as ``enter(_:)``, and behind it another one when it came to be entered only after it
  /// was given up.
  ///
  /// - Parameter withdrawal: says that what was noted was not done.
  /// - Throws: as ``enter(_:)``.
  func enter(_ note: AuditNote, withdrawal: AuditNote) async throws(APIError)

  /// The newest entries, the newest first.
  ///
  /// - Parameter limit: the most entries to return, 1 or more.
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``, when the log cannot be read.
  func entries(limit: Int) async throws(APIError) -> [AuditEntry]
}

extension AuditLog {
  /// Enters a note in a log that never gives one up.
  public func enter(_ note: AuditNote, withdrawal: AuditNote) async throws(APIError) {
    try await enter(note)
  }
}
