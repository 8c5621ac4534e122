package import API

extension RigClient {
  /// Compares every file with its row and reports progress; may take minutes.
  ///
  /// - Parameters:
  ///   - repair: whether to repair the problems found.
  ///   - progress: a function called twice a second with the hashed and total bytes.
  /// - Throws: ``RigClientError``.
  package func verifySpool(
    repair: Bool, progress: @escaping @Sendable (SpoolVerificationProgress) -> Void
  ) async throws(RigClientError) -> SpoolVerificationReport {
    // A connection carries one request at a time, and the verification occupies this one.
    let other = RigClient(socketPath: socketPath, timeout: timeout)
    let look = Task {
      while !Task.isCancelled {
        // The rig sends no event for this progress.
        try? await Task.sleep(for: .milliseconds(500))
        // The verification itself reports any error.
        if let now = try? await other.call(Operations.spoolVerificationProgress), now.isRunning {
          progress(now)
        }
      }
    }
    defer { look.cancel() }
    return try await call(Operations.verifySpool, SpoolVerificationRequest(repair: repair))
  }
}
