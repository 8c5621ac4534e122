public import API

extension RigClient {
  /// Examines the rig, which takes some seconds.
  ///
  /// - Parameter part: the only part to examine; `nil` for all.
  /// - Throws: ``RigClientError``.
  public func examine(_ part: DoctorPart? = nil) async throws(RigClientError) -> DoctorReport {
    try await get("/v1/doctor" + (part.map { "?part=\($0.rawValue)" } ?? ""))
  }
}
