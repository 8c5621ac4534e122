package import Logging

/// The lines of the log to return: the query of `GET /v1/log`.
///
/// `GET /v1/log/events` takes `level` and `label`.
package struct LogFilter: Sendable, Hashable {
  /// The most lines that one answer lists, which are also the most that are kept.
  package static let maximumLimit = 2000
  /// The most bytes of the lines that are kept.
  package static let maximumBytes = 1 << 20

  private static let limit = EndpointParameter<Int>.integer(
    "limit", in: 1...maximumLimit, default: 20, "The most lines of the list.")
  private static let level = EndpointParameter<Logger.Level>.word(
    "level", "Only lines of this severity or a higher one.")
  private static let label = EndpointParameter<String>.text(
    "label", length: 1...128, "Only lines of this part of the service.")
  private static let after = EndpointParameter<Int64>.integer(
    "after", in: 0...Int64.max, "Only lines with a larger number.")

  /// The most lines to list, 1...2000.
  package var limit = 20
  /// The lowest severity of the lines; `nil` for all.
  package var level: Logger.Level?
  /// The part of the service that logged the lines, 1 to 128 characters; `nil` for all.
  package var label: String?
  /// The number that the lines' numbers must exceed; `nil` for all.
  package var after: UInt64?

  /// Asks for the newest lines.
  package init(limit: Int = 20) {
    self.limit = limit
  }

  /// Returns whether a line matches, whatever the limit is.
  package func matches(_ entry: LogEntry) -> Bool {
    let isSevere = level.map { (Logger.Level(rawValue: entry.level) ?? .critical) >= $0 } ?? true
    return isSevere && label.map { $0 == entry.label } ?? true && entry.id > after ?? 0
  }
}

extension LogFilter: EndpointInput {
  static var streamParameters: [ParameterDescription] { [level.described, label.described] }

  package static var parameters: [ParameterDescription] {
    [limit.described] + streamParameters + [after.described]
  }

  package init(_ request: EndpointRequest) throws(APIError) {
    self = try LogFilter(stream: request)
    limit = try request.required(Self.limit)
    after = try request.value(Self.after).map(UInt64.init)
  }

  /// Reads the parameters of the stream.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, which names the parameter.
  init(stream request: EndpointRequest) throws(APIError) {
    level = try request.value(Self.level)
    label = try request.value(Self.label)
  }

  package func write(to request: inout EndpointRequest) {
    writeStream(to: &request)
    request.set(Self.limit, limit)
    request.set(Self.after, after.map { Int64(clamping: $0) })
  }

  /// Writes the parameters of the stream.
  package func writeStream(to request: inout EndpointRequest) {
    request.set(Self.level, level)
    request.set(Self.label, label)
  }
}
