public import Logging

/// Which lines of the log are asked for: the query of `GET /v1/log`.
///
/// | parameter | value | default |
/// |---|---|---|
/// | `limit` | the most lines to list, 1 to 2000 | 20 |
/// | `level` | only lines as severe as this, or more: `trace` to `critical` | all |
/// | `label` | only lines of this part of the service | all |
/// | `after` | only lines with a larger number | all |
///
/// `GET /v1/log/events` takes `level` and `label`.
public struct LogFilter: Sendable, Hashable {
  /// The most lines that one answer lists, which are also the most that are kept.
  public static let maximumLimit = 2000
  static let parameters = ["limit"] + streamParameters + ["after"]
  static let streamParameters = ["level", "label"]

  /// The most lines to list, 1...2000.
  public var limit = 20
  /// Only lines as severe as this, or more.
  public var level: Logger.Level?
  /// Only lines of this part of the service, 1 to 128 characters.
  public var label: String?
  /// Only lines with a larger number.
  public var after: UInt64?

  /// Asks for the newest lines.
  public init(limit: Int = 20) {
    self.limit = limit
  }

  /// Reads the parameters of a query but for the limit.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, which names the parameter.
  init(_ parameter: (String) -> String?) throws(APIError) {
    if let text = parameter("level") {
      level = Logger.Level(rawValue: text)
      if level == nil {
        let words = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIError(.invalidRequest, "The parameter \"level\" must be one of \(words).")
      }
    }
    if let text = parameter("label") {
      guard (1...128).contains(text.count) else {
        throw APIError(.invalidRequest, "The parameter \"label\" must have 1 to 128 characters.")
      }
      label = text
    }
    if let text = parameter("after") {
      after = Int64(text).flatMap(UInt64.init(exactly:))
      if after == nil {
        throw APIError(
          .invalidRequest, "The parameter \"after\" must be a line's number, 0 or more.")
      }
    }
  }

  /// Whether a line is one of those that are asked for, whatever the limit is.
  public func matches(_ entry: LogEntry) -> Bool {
    let isSevere = level.map { (Logger.Level(rawValue: entry.level) ?? .critical) >= $0 } ?? true
    return isSevere && label.map { $0 == entry.label } ?? true && entry.id > after ?? 0
  }

  /// The parameters of the query for a list, but for those that are left out.
  public var queryItems: [(name: String, value: String)] {
    [("limit", "\(limit)")] + streamQueryItems + (after.map { [("after", "\($0)")] } ?? [])
  }

  /// The parameters of the query for the stream.
  public var streamQueryItems: [(name: String, value: String)] {
    let items: [(name: String, value: String?)] = [("level", level?.rawValue), ("label", label)]
    return items.compactMap { item in item.value.map { (item.name, $0) } }
  }
}
