/// The audit log of everything done over the API.
package protocol AuditLog: Sendable {
  /// Enters a note with the log's own time; on return the note is on stable storage.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``, when the note is not entered.
  func enter(_ note: AuditNote) async throws(APIError)

  /// Enters a note as ``enter(_:)`` does, and withdraws a note that was entered too late.
  ///
  /// A note that is entered only after the log gave up on it is followed by its withdrawal.
  ///
  /// - Parameter withdrawal: the note that the act was not done.
  /// - Throws: as ``enter(_:)``.
  func enter(_ note: AuditNote, withdrawal: AuditNote) async throws(APIError)

  /// Returns the newest entries, the newest first.
  ///
  /// - Parameter limit: the most entries to return, 1 or more.
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``, when the log cannot be read.
  func entries(limit: Int) async throws(APIError) -> [AuditEntry]
}

extension AuditLog {
  /// Enters a note into a log that never gives up on a note.
  package func enter(_ note: AuditNote, withdrawal: AuditNote) async throws(APIError) {
    try await enter(note)
  }
}
