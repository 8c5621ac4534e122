import Devices
import Foundation
import Testing

@testable import API

/// The text of `Sources/API/openapi.yaml`: paths from the declared operations, schemas from the types.
struct OpenAPIText {
  private let source: SchemaSource
  /// The enums that the API shares with the parts of the service.
  private let shared: SchemaSource
  /// The schemas of values that read themselves.
  private let values: String
  private var wanted: [String] = []
  private var seen: Set<String> = []
  private(set) var lines: [String] = []

  init(folder: URL) throws {
    source = try SchemaSource(folder: folder)
    shared = try SchemaSource(
      folder: folder.deletingLastPathComponent().appending(path: "Devices"))
    values = try String(contentsOf: folder.appending(path: "openapi-values.yaml"), encoding: .utf8)
    seen = Set(values.matches(of: /(?m)^(\w+):$/).map { String($0.1) })
  }

  /// Returns the text for operations.
  mutating func text(_ operations: [API.Operation]) throws -> String {
    lines = Self.head
    var paths: [(path: String, operations: [API.Operation])] = []
    for operation in operations {
      if let index = paths.firstIndex(where: { $0.path == operation.path }) {
        paths[index].operations.append(operation)
      } else {
        paths.append((operation.path, [operation]))
      }
    }
    for (path, operations) in paths.sorted(by: { $0.path < $1.path }) {
      lines.append("  \(path):")
      for operation in operations { try write(operation) }
    }
    writeResponses()
    lines.append("  schemas:")
    lines += values.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { "    \($0)" }
    lines += Self.imageSchemas
    // Events have their payloads under the kinds' names.
    wanted += Self.payloads
    while let name = wanted.popLast() {
      if seen.insert(schemaName(name)).inserted { try write(name) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let payloads = [
    "ReadinessReport", "PressReport", "CaptureProgressReport", "InterruptionReport",
    "ThermalReport", "SessionReport", "SessionSettingsReport", "DeliveryReport", "ButtonReport",
    "RotationReport", "TargetReport", "HandsFreeReport", "MovieReport", "LogEntry",
    "MissedEvents",
  ]

  private static let head = [
    "# The API of a rig, made by board/docs from the operations and the types of Sources/API.",
    "openapi: 3.1.0", "info:", "  title: Platen", "  version: \"1\"",
    "  license: { name: Apache-2.0, identifier: Apache-2.0 }",
    "  description: "
      + quoted(
        "HTTP and JSON over the Unix socket of the service. `x-permission` is the permission that a "
          + "caller needs. Unknown keys and parameters are refused; answers may gain keys in later "
          + "versions. Times in nanoseconds are of `CLOCK_MONOTONIC`."),
    "servers:", "- { url: \"http://localhost\", description: Over /run/platen/platend.sock }",
    "paths:",
  ]

  // MARK: operations

  private mutating func write(_ operation: API.Operation) throws {
    lines += [
      "    \(operation.method.rawValue.lowercased()):", "      operationId: \(operation.id)",
      "      summary: \(Self.quoted(operation.summary))",
      "      x-permission: \(operation.permission?.rawValue ?? "none")",
    ]
    var parameters = operation.parameters.map { parameter in
      let place = operation.path.contains("{\(parameter.name)}") ? "path" : "query"
      return "      - { name: \(parameter.name), in: \(place), required: \(parameter.isRequired), "
        + "description: \(Self.quoted(parameter.summary)), schema: \(Self.schema(parameter.schema)) }"
    }
    if case .media("text/event-stream", _) = operation.answer {
      parameters.append(
        "      - { name: Last-Event-ID, in: header, required: false, "
          + "description: \"The last event that the listener has.\", "
          + "schema: { type: string, maxLength: 100 } }")
    }
    if !parameters.isEmpty { lines += ["      parameters:"] + parameters }
    if let body = operation.body, operation.method != .get, operation.method != .delete {
      lines += [
        "      requestBody:", "        required: \(body.isRequired)",
        "        content: { application/json: { schema: \(bodySchema(body.schema)) } }",
      ]
    }
    lines.append("      responses:")
    let content: String?
    switch operation.answer {
    case .json(let name):
      want(name)
      content = "application/json: { schema: { $ref: \"#/components/schemas/\(name)\" } }"
    case .media(let type, let text):
      let format = type.hasPrefix("image/") ? ", format: binary" : ""
      content =
        "\(type): { schema: { type: string\(format), description: \(Self.quoted(text)) } }"
    case .empty: content = nil
    }
    for status in operation.statuses.sorted() {
      let meaning =
        switch status {
        case 200: "The answer."
        case 204: "It is done."
        default: "The rig refused; the answer says why."
        }
      let part = content.map { ", content: { \($0) }" } ?? ""
      lines.append(
        "        \"\(status)\": { description: \(Self.quoted(meaning))\(part) }")
    }
    for status in failures(of: operation) where !operation.statuses.contains(status) {
      let name = try #require(Self.responses.first { $0.status == status }).name
      lines.append("        \"\(status)\": { $ref: \"#/components/responses/\(name)\" }")
    }
  }

  private func failures(of operation: API.Operation) -> [Int] {
    var codes =
      operation.failures + [.invalidRequest, .unauthenticated, .forbidden, .tooManyRequests]
    if operation.method != .get { codes.append(.requestTooLarge) }
    if operation.permission == .act { codes.append(.unavailable) }
    return Set(codes.map { APIError($0, "").status }).sorted()
  }

  private mutating func want(_ schema: String) {
    wanted += source.types.keys.filter { schemaName($0) == schema }
  }

  private mutating func bodySchema(_ name: String) -> String {
    switch name {
    case "EmptyObject": return "{ type: object, additionalProperties: false }"
    case "String": return "{ type: string }"
    default:
      want(name)
      return "{ $ref: \"#/components/schemas/\(name)\" }"
    }
  }

  private static func schema(_ schema: ParameterSchema) -> String {
    switch schema {
    case .integer(let range, let standard):
      let fallback = standard.map { ", default: \($0)" } ?? ""
      return "{ type: integer, format: int64, minimum: \(range.lowerBound), "
        + "maximum: \(range.upperBound)\(fallback) }"
    case .number(let range, let standard):
      let fallback = standard.map { ", default: \($0)" } ?? ""
      return
        "{ type: number, minimum: \(range.lowerBound), maximum: \(range.upperBound)\(fallback) }"
    case .text(let length):
      return "{ type: string, minLength: \(length.lowerBound), maxLength: \(length.upperBound) }"
    case .pattern(let pattern): return "{ type: string, pattern: \(quoted(pattern)) }"
    case .words(let words): return "{ type: string, enum: [\(words.joined(separator: ", "))] }"
    }
  }

  // MARK: components

  private static let responses: [(status: Int, name: String, meaning: String)] = [
    (400, "InvalidRequest", "The request cannot be understood, or asks for something impossible."),
    (401, "Unauthenticated", "The caller is unknown."),
    (403, "Forbidden", "The caller may not do this."), (404, "NotFound", "There is no such thing."),
    (409, "Refused", "The rig refused; the code and the sentence say why."),
    (413, "RequestTooLarge", "The body is too long."),
    (429, "TooManyRequests", "Too many requests; `Retry-After` is the pause in seconds."),
    (500, "InternalError", "The service failed to answer; its log says how."),
    (503, "Unavailable", "The part is starting, stopping or broken; a later retry may help."),
    (504, "TimedOut", "The device did not answer in time."),
  ]

  private mutating func writeResponses() {
    lines += ["components:", "  responses:"]
    for (_, name, meaning) in Self.responses {
      lines.append(
        "    \(name): { description: \(Self.quoted(meaning)), content: { application/json: "
          + "{ schema: { $ref: \"#/components/schemas/Error\" } } } }")
    }
  }

  private mutating func write(_ name: String) throws {
    let type = try #require(source.types[name])
    try #require(!type.readsItself, "\(name) needs a schema in openapi-values.yaml")
    lines += [
      "    \(schemaName(name)):", "      description: \(Self.quoted(type.description))",
    ]
    if !type.cases.isEmpty {
      lines += ["      type: string", "      enum: [\(type.cases.joined(separator: ", "))]"]
      return
    }
    lines += ["      type: object", "      additionalProperties: false"]
    let required = type.properties.filter { !$0.type.hasSuffix("?") }.map(\.name)
    if !required.isEmpty { lines.append("      required: [\(required.joined(separator: ", "))]") }
    lines.append("      properties:")
    for property in type.properties {
      let schema = try schema(of: property.type, in: name)
      let text =
        schema.contains("$ref: ") && !schema.contains("items")
        ? schema : schema.dropLast(2) + ", description: \(Self.quoted(property.description)) }"
      lines.append("        \(property.name): \(text)")
    }
  }

  private mutating func schema(of type: String, in scope: String) throws -> String {
    let type = type.hasSuffix("?") ? String(type.dropLast()) : type
    switch type {
    case "String": return "{ type: string }"
    case "Bool": return "{ type: boolean }"
    case "Double", "FiniteNumber": return "{ type: number }"
    case "Int", "Int32", "Int64": return "{ type: integer, format: int64 }"
    case "UInt32", "UInt64": return "{ type: integer, format: int64, minimum: 0 }"
    default: break
    }
    if let found = type.wholeMatch(of: /\[[\w<>]+: (.*)\]/) {
      return "{ type: object, additionalProperties: \(try schema(of: String(found.1), in: scope)) }"
    }
    if type.hasPrefix("[") {
      let items = try schema(of: String(type.dropFirst().dropLast()), in: scope)
      return "{ type: array, items: \(items) }"
    }
    // A name with its module is that of a shared type, where a type of the API hides it.
    if let found = type.wholeMatch(of: /Word<(Devices\.)?([\w.]+)>/) {
      let name = String(found.2)
      let own =
        found.1 == nil ? source.resolved(name, in: scope).flatMap { source.types[$0] } : nil
      let words = try #require(own ?? shared.types[name], "\(scope): \(type)").cases
      return "{ type: string, enum: [\(words.joined(separator: ", "))] }"
    }
    let name = try #require(source.resolved(type, in: scope), "\(scope): \(type)")
    wanted.append(name)
    return "{ $ref: \"#/components/schemas/\(schemaName(name))\" }"
  }

  /// The schemas of the controls of the image, a property for each control.
  private static var imageSchemas: [String] {
    func number(_ value: Double) -> String {
      Int(exactly: value).map(String.init) ?? String(value)
    }
    func limits(_ control: ImageControl) -> String {
      "type: number, minimum: \(number(control.range.lowerBound)), "
        + "maximum: \(number(control.range.upperBound))"
    }
    func schema(
      _ name: String, _ description: String, of control: (ImageControl) -> String
    ) -> [String] {
      [
        "    \(name):", "      description: \(quoted(description))", "      type: object",
        "      additionalProperties: false", "      properties:",
      ]
        + ImageControl.allCases.map {
          let meaning = $0.meaning.prefix(1).uppercased() + $0.meaning.dropFirst() + "."
          return "        \($0.rawValue): { \(control($0)), description: \(quoted(meaning)) }"
        }
    }
    return schema("ImageChange", "The controls of the image to change.") {
      "oneOf: [{ type: string, enum: [own] }, { \(limits($0)) }]"
    } + schema("ImageControls", "The controls of the image that are set.", of: limits)
  }

  private func schemaName(_ type: String) -> String { SchemaName.of("API.\(type)") }

  /// A text in quotes, as JSON and YAML have them.
  private static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
