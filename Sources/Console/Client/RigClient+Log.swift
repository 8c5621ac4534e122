package import API
import Transfer

/// An item of the stream of a rig's log.
package typealias LogEventItem = EventStreamItem<LogEntry>

extension RigClient {
  /// Listens to the service's log until the service or the reader stops.
  ///
  /// The stream ends with a ``RigClientError`` when the connection breaks.
  ///
  /// - Parameters:
  ///   - filter: the lines wanted; the filter's limit and number are ignored.
  ///   - lastID: the ID of the last seen line, after which the stream continues.
  package func logEvents(
    _ filter: LogFilter, after lastID: String? = nil
  ) -> AsyncThrowingStream<LogEventItem, any Error> {
    var input = EndpointRequest()
    filter.writeStream(to: &input)
    return stream(Operations.logEvents, input, after: lastID)
  }
}
