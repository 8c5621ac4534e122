/// What the API needs of a rig's spool.
public protocol SpoolService: Sendable {
  /// What is in the spool, in figures.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``.
  func spoolStatistics() async throws(APIError) -> SpoolStatisticsReport

  /// Pictures, the newest first.
  ///
  /// - Parameters:
  ///   - state: only those in this state, as ``SpoolItemReport/state`` spells it, or
  ///     ``SpoolItemList/waiting``; `nil` for all.
  ///   - limit: the most pictures to return, 1 or more.
  ///   - before: only those older than this picture; `nil` to begin with the newest.
  /// - Throws: ``APIError``: ``APIError/Code/invalidRequest`` for a state or an ID that cannot be.
  func spoolItems(
    state: String?, limit: Int, before: String?
  ) async throws(APIError) -> SpoolItemList

  /// One picture; `nil` when the spool does not know it.
  func spoolItem(id: String) async throws(APIError) -> SpoolItemReport?

  /// Lets a picture that was set aside wait again, at all its targets.
  ///
  /// - Throws: ``APIError``: ``APIError/Code/notFound``, ``APIError/Code/invalidRequest`` when it
  ///   was not set aside.
  func retrySpoolItem(id: String) async throws(APIError) -> SpoolRetryReport

  /// Lets all pictures wait again that were set aside.
  func retryParkedSpoolItems() async throws(APIError) -> SpoolRetryReport

  /// Compares every file with its row, and repairs what is found when that is asked for.
  func verifySpool(repair: Bool) async throws(APIError) -> SpoolVerificationReport

  /// How far a verification is.
  func spoolVerificationProgress() async throws(APIError) -> SpoolVerificationProgress

  /// Deletes a picture that has no receipt; it is gone for good.
  ///
  /// - Throws: ``APIError``: ``APIError/Code/notFound``, ``APIError/Code/invalidRequest`` when it
  ///   is being delivered or has its receipt.
  func deleteSpoolItem(id: String) async throws(APIError)

  /// Deletes every picture of the quarantine; they are gone for good.
  func deleteQuarantinedSpoolItems() async throws(APIError) -> QuarantineDeletionReport
}
