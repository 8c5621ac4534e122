package import Devices
package import Foundation

/// The presses to return: the query of `GET /v1/presses`.
package struct PressFilter: Sendable, Hashable {
  private typealias Parameter = EndpointParameter

  private static let before = Parameter<Int64>.integer(
    "before", in: 0...Int64.max, "Only presses with a smaller number.")
  private static let after = Parameter<Int64>.integer(
    "after", in: 0...Int64.max, "Only presses with a larger number.")
  private static let outcome = Parameter<PressReport.Outcome>.word(
    "outcome", "Only presses with this outcome.")
  private static let reason = Parameter<String>.text(
    "reason", length: 1...64, "Only presses refused for this reason.")
  private static let gesture = Parameter<Gesture>.word(
    "gesture", "Only presses made with this gesture.")
  private static let since = Parameter<Date>.time("since", "Only presses at or after this time.")
  private static let until = Parameter<Date>.time("until", "Only presses before this time.")

  /// The most presses to list, 1...1000.
  package var limit = 20
  /// The number that the presses' numbers must be below; `nil` for all.
  package var before: Int64?
  /// The number that the presses' numbers must exceed; `nil` for all.
  package var after: Int64?
  /// The outcome of the presses; `nil` for all.
  package var outcome: PressReport.Outcome?
  /// The reason of the refusals, 1 to 64 characters; `nil` for all presses.
  package var reason: String?
  /// The gesture of the presses; `nil` for all.
  package var gesture: Gesture?
  /// The earliest time of the presses; `nil` for all.
  package var since: Date?
  /// The time before which the presses came; `nil` for all.
  package var until: Date?

  /// Asks for the newest presses.
  package init(limit: Int = 20) {
    self.limit = limit
  }

  /// Returns whether a press matches, whatever the limit and the times are.
  package func matches(_ press: PressReport) -> Bool {
    press.number < before ?? .max && press.number > after ?? .min
      && outcome.map { $0 == press.outcome } ?? true && reason.map { $0 == press.reason } ?? true
      && gesture.map { $0 == press.gesture?.value } ?? true
  }

  /// Reads a time in ISO 8601, with or without a fraction of a second.
  ///
  /// - Returns: `nil` for another text, and for a time before 1970 or from 2200 on.
  package static func date(_ text: String) -> Date? {
    guard text.utf8.count <= 40 else { return nil }
    let styles = [
      Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
    ]
    let date = styles.lazy.compactMap { try? $0.parse(text) }.first
    return date.flatMap { (0..<7_258_118_400).contains($0.timeIntervalSince1970) ? $0 : nil }
  }
}

extension PressFilter: EndpointInput {
  package static var parameters: [ParameterDescription] {
    [
      ListLimit.limit.described, before.described, after.described, outcome.described,
      reason.described, gesture.described, since.described, until.described,
    ]
  }

  package init(_ request: EndpointRequest) throws(APIError) {
    limit = try request.required(ListLimit.limit)
    before = try request.value(Self.before)
    after = try request.value(Self.after)
    outcome = try request.value(Self.outcome)
    reason = try request.value(Self.reason)
    gesture = try request.value(Self.gesture)
    since = try request.value(Self.since)
    until = try request.value(Self.until)
  }

  package func write(to request: inout EndpointRequest) {
    request.set(ListLimit.limit, limit)
    request.set(Self.before, before)
    request.set(Self.after, after)
    request.set(Self.outcome, outcome)
    request.set(Self.reason, reason)
    request.set(Self.gesture, gesture)
    request.set(Self.since, since)
    request.set(Self.until, until)
  }
}
