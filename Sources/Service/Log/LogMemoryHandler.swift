import Logging

/// A handler that adds a logger's lines to a ``LogMemory``.
struct LogMemoryHandler: LogHandler {
  let memory: LogMemory
  let label: String
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  var logLevel = Logger.Level.info

  func log(event: LogEvent) {
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let error = event.error { all["error"] = "\(error)" }
    if let own = event.metadata { all.merge(own) { $1 } }
    memory.append(event.level, label: label, "\(event.message)", all.mapValues { "\($0)" })
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
}
