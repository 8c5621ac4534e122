extension Operations {
  /// The entries of the audit log.
  ///
  /// A reader learns nothing of others, so the permission to act is needed.
  package static let audit = Endpoint<ListLimit, AuditEntryList>(
    "audit", .get, "/v1/audit", .act,
    "Lists entries of the audit log, the newest first; the request is entered as well.")
}
