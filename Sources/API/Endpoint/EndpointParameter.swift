import Foundation

/// A parameter of a path or of a query: its name, its values, and one sentence.
package struct EndpointParameter<Value: Sendable>: Sendable {
  let name: String
  let summary: String
  /// The values in words, as an error tells them.
  let expected: String
  /// The value of a request without the parameter.
  let standard: Value?
  let schema: ParameterSchema
  let read: @Sendable (String) -> Value?
  let write: @Sendable (Value) -> String

  /// The parameter for the description.
  var described: ParameterDescription { described(isRequired: false) }

  /// The parameter for the description.
  func described(isRequired: Bool) -> ParameterDescription {
    ParameterDescription(name: name, summary: summary, isRequired: isRequired, schema: schema)
  }
}

/// The values of a parameter, as JSON Schema tells them.
package enum ParameterSchema: Sendable {
  case integer(ClosedRange<Int64>, standard: Int64?)
  case number(ClosedRange<Double>, standard: Double?)
  case text(length: ClosedRange<Int>)
  case pattern(String)
  case words([String])
}

/// A parameter for the description.
package struct ParameterDescription: Sendable {
  let name: String
  let summary: String
  let isRequired: Bool
  let schema: ParameterSchema
}

/// A body for the description.
package struct BodyDescription: Sendable {
  /// The name of the body's schema.
  let schema: String
  let isRequired: Bool

  init(type: any Decodable.Type, isRequired: Bool) {
    schema = SchemaName.of(type)
    self.isRequired = isRequired
  }
}

enum SchemaName {
  /// Returns the name of a type's schema: `AccelerometerReading` for `AccelerometerReport.Reading`.
  static func of(_ type: any Any.Type) -> String { of(String(reflecting: type)) }

  /// Returns the name of a type's schema by the type's name with its module.
  static func of(_ type: String) -> String {
    let parts = type.split(separator: ".").dropFirst().map(String.init)
    guard let inner = parts.last, let outer = parts.first, parts.count > 1 else {
      return parts.last ?? ""
    }
    let suffix = ["Report", "List", "Request"].first { outer.hasSuffix($0) } ?? ""
    return outer.dropLast(suffix.count) + inner
  }
}

extension EndpointParameter {
  /// Declares a whole number.
  static func integer(
    _ name: String, in range: ClosedRange<Value>, default standard: Value? = nil,
    _ summary: String
  ) -> Self where Value: FixedWidthInteger {
    let expected =
      range.upperBound == .max
      ? "a whole number, \(range.lowerBound) or more"
      : "a number from \(range.lowerBound) to \(range.upperBound)"
    return EndpointParameter(
      name: name, summary: summary, expected: expected, standard: standard,
      schema: .integer(
        Int64(range.lowerBound)...Int64(range.upperBound), standard: standard.map { Int64($0) }),
      read: { text in Value(text).flatMap { range.contains($0) ? $0 : nil } },
      write: { "\($0)" })
  }

  /// Declares one of some words.
  static func word(_ name: String, _ summary: String) -> Self
  where Value: RawRepresentable<String> & CaseIterable {
    let words = Value.allCases.map(\.rawValue)
    return EndpointParameter(
      name: name, summary: summary, expected: "one of \(words.joined(separator: ", "))",
      standard: nil, schema: .words(words), read: { Value(rawValue: $0) }, write: { $0.rawValue })
  }
}

extension EndpointParameter where Value == Double {
  /// Declares a number.
  static func number(
    _ name: String, in range: ClosedRange<Double>, default standard: Double? = nil,
    _ summary: String
  ) -> Self {
    EndpointParameter(
      name: name, summary: summary,
      expected: "a number from \(range.lowerBound) to \(range.upperBound)", standard: standard,
      schema: .number(range, standard: standard),
      read: { text in Double(text).flatMap { range.contains($0) ? $0 : nil } },
      write: { "\($0)" })
  }
}

extension EndpointParameter where Value == String {
  /// Declares a text.
  static func text(_ name: String, length: ClosedRange<Int>, _ summary: String) -> Self {
    EndpointParameter(
      name: name, summary: summary,
      expected: "a text of \(length.lowerBound) to \(length.upperBound) characters",
      standard: nil, schema: .text(length: length),
      // JSON Schema counts code points, and a word of them may be one character.
      read: { length.contains($0.unicodeScalars.count) ? $0 : nil }, write: { $0 })
  }

  /// Declares one of some words that are no closed set of the code.
  static func words(_ name: String, _ words: [String], _ summary: String) -> Self {
    EndpointParameter(
      name: name, summary: summary, expected: "one of \(words.joined(separator: ", "))",
      standard: nil, schema: .words(words), read: { words.contains($0) ? $0 : nil },
      write: { $0 })
  }

  /// Declares a picture's ID as the spool gives it; the spool decides which IDs can be.
  static func itemID(_ name: String, _ summary: String) -> Self {
    EndpointParameter(
      name: name, summary: summary, expected: "a picture's ID", standard: nil,
      schema: .pattern("^(?!0{6})[0-9a-f]{6}-(?!0{10})[0-9]{10}-[0-9a-f]{16}$"),
      read: { String($0.prefix(80)) }, write: { $0 })
  }
}

extension EndpointParameter where Value == Date {
  /// Declares a time in ISO 8601, with or without a fraction of a second, from 1970 to 2199.
  ///
  /// The pattern for programs is narrower: it knows no calendar.
  static func time(_ name: String, _ summary: String) -> Self {
    EndpointParameter(
      name: name, summary: summary,
      expected: "an ISO 8601 time, for example 2026-11-21T10:00:00Z", standard: nil,
      schema: .pattern(
        "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
          + "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{3})?Z$"),
      read: { PressFilter.date($0) },
      write: { $0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) })
  }
}
