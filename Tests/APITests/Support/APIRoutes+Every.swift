@testable import API

extension APIRoutes {
  /// All routes that are described.
  static func every() -> [Route] {
    let feed = EventFeed<RigEvent>(run: "r", historyLimit: 1, maximumListeners: 1)
    let logFeed = EventFeed<LogEntry>(run: "r", historyLimit: 1, maximumListeners: 1)
    return APIRoutes(
      service: FakeRig(), feed: feed, logSource: FakeLog(), logFeed: logFeed,
      auditLog: MemoryAuditLog(), maximumBodyBytes: 1
    ).described
  }
}
