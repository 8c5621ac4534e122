import Hummingbird

/// The path of the audit log.
extension APIRoutes {
  /// The most entries that one answer lists.
  static let maximumAuditEntries = 1000

  var auditRoutes: [Route] {
    // Who may only look learns nothing of others; and each look is entered as well.
    [Route(.get, "/v1/audit", .act, audit)]
  }

  private func audit(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: ["limit"])
    let limit = try self.limit(of: request, maximum: Self.maximumAuditEntries)
    return try jsonResponse(AuditEntryList(entries: await auditLog.entries(limit: limit)))
  }
}
