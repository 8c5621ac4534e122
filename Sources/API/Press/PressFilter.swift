public import Foundation

/// Which presses are asked for: the query of `GET /v1/presses`.
///
/// | parameter | value | default |
/// |---|---|---|
/// | `limit` | the most presses to list, 1 to 1000 | 20 |
/// | `before`, `after` | only presses with a smaller, or larger, number | all |
/// | `outcome` | `pending`, `stored` or `refused` | all |
/// | `reason` | the reason code of a refusal | all |
/// | `gesture` | `single`, `double`, `long`, `hold` or another | all |
/// | `since`, `until` | ISO 8601 times; at or after the one, before the other | all |
public struct PressFilter: Sendable, Hashable {
  /// The most presses that one answer lists.
  public static let maximumLimit = 1000
  static let parameters = [
    "limit", "before", "after", "outcome", "reason", "gesture", "since", "until",
  ]

  /// The most presses to list, 1...1000.
  public var limit = 20
  /// Only presses with a smaller number.
  public var before: Int64?
  /// Only presses with a larger number.
  public var after: Int64?
  /// Only presses that ended so.
  public var outcome: PressReport.Outcome?
  /// Only presses refused for this reason, 1 to 64 characters.
  public var reason: String?
  /// Only presses made with this gesture, 1 to 64 characters.
  public var gesture: String?
  /// Only presses at or after this time.
  public var since: Date?
  /// Only presses before this time.
  public var until: Date?

  /// Asks for the newest presses.
  public init(limit: Int = 20) {
    self.limit = limit
  }

  /// Whether a press is one of those that are asked for, whatever the limit and the times are.
  public func matches(_ press: PressReport) -> Bool {
    press.number < before ?? .max && press.number > after ?? .min
      && outcome.map { $0 == press.outcome } ?? true && reason.map { $0 == press.reason } ?? true
      && gesture.map { $0 == press.gesture } ?? true
  }

  /// Reads the parameters of a query.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, which names the parameter.
  init(_ parameter: (String) -> String?) throws(APIError) {
    before = try Self.number("before", parameter)
    after = try Self.number("after", parameter)
    if let text = parameter("outcome") {
      outcome = PressReport.Outcome(rawValue: text)
      if outcome == nil {
        let words = PressReport.Outcome.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIError(.invalidRequest, "The parameter \"outcome\" must be one of \(words).")
      }
    }
    reason = try Self.word("reason", parameter)
    gesture = try Self.word("gesture", parameter)
    since = try Self.time("since", parameter)
    until = try Self.time("until", parameter)
  }

  private static func number(
    _ name: String, _ parameter: (String) -> String?
  ) throws(APIError) -> Int64? {
    guard let text = parameter(name) else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw APIError(
        .invalidRequest, "The parameter \"\(name)\" must be a press's number, 0 or more.")
    }
    return number
  }

  private static func word(
    _ name: String, _ parameter: (String) -> String?
  ) throws(APIError) -> String? {
    guard let text = parameter(name) else { return nil }
    guard (1...64).contains(text.count) else {
      throw APIError(.invalidRequest, "The parameter \"\(name)\" must have 1 to 64 characters.")
    }
    return text
  }

  private static func time(
    _ name: String, _ parameter: (String) -> String?
  ) throws(APIError) -> Date? {
    guard let text = parameter(name) else { return nil }
    guard let date = Self.date(text) else {
      throw APIError(
        .invalidRequest,
        "The parameter \"\(name)\" must be an ISO 8601 time, for example 2026-11-21T10:00:00Z.")
    }
    return date
  }

  /// Reads a time in ISO 8601, with or without a fraction of a second.
  ///
  /// - Returns: `nil` for what is none, or before 1970, or after 2200.
  public static func date(_ text: String) -> Date? {
    guard text.utf8.count <= 40 else { return nil }
    let styles = [
      Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
    ]
    let date = styles.lazy.compactMap { try? $0.parse(text) }.first
    return date.flatMap { (0..<7_258_118_400).contains($0.timeIntervalSince1970) ? $0 : nil }
  }

  /// The parameters of the query, but for those that are left out.
  public var queryItems: [(name: String, value: String)] {
    let items: [(name: String, value: String?)] = [
      ("limit", "\(limit)"), ("before", before.map { "\($0)" }), ("after", after.map { "\($0)" }),
      ("outcome", outcome?.rawValue), ("reason", reason), ("gesture", gesture),
      ("since", since.map(Self.text)), ("until", until.map(Self.text)),
    ]
    return items.compactMap { item in item.value.map { (item.name, $0) } }
  }

  private static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
