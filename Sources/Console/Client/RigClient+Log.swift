public import API
import Transfer

/// What somebody who follows a rig's log gets to know.
public typealias LogNews = StreamNews<LogEntry>

extension RigClient {
  /// Lines of the service's log, the newest first.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `invalidRequest` for what cannot be asked.
  public func log(_ filter: LogFilter) async throws(RigClientError) -> LogEntryList {
    let query = filter.queryItems.map { "\($0.name)=\(encoded($0.value))" }
    return try await get("/v1/log?" + query.joined(separator: "&"))
  }

  /// Listens to the service's log, until the service stops or the reader does.
  ///
  /// Ends with an error of ``RigClientError`` when the connection breaks.
  ///
  /// - Parameters:
  ///   - filter: which lines; the limit and the number do not count here.
  ///   - lastID: the last line that was seen, to go on from there.
  public func logEvents(
    _ filter: LogFilter, after lastID: String? = nil
  ) -> AsyncThrowingStream<LogNews, any Error> {
    let query = filter.streamQueryItems.map { "\($0.name)=\(encoded($0.value))" }
    let path = "/v1/log/events" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    return stream(path, after: lastID)
  }
}
