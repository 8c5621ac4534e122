import Foundation
import TestSupport
import Testing
import Yams

/// `Sources/API/openapi.yaml`, read as plain values.
struct OpenAPIDocument {
  /// A method of a path.
  struct Operation: Hashable, CustomStringConvertible {
    let method: String
    let path: String
    let permission: String
    let summary: String

    var description: String { "\(method) \(path) (\(permission))" }
  }

  private let root: [String: Any]

  /// The file beside the sources as JSON, made once: YAML takes its time.
  private static let json = Result {
    let file = ReferencePage.repository.appending(path: "Sources/API/openapi.yaml")
    let value = try Yams.load(yaml: try String(contentsOf: file, encoding: .utf8))
    return try JSONSerialization.data(withJSONObject: try #require(value))
  }

  /// Reads the file.
  init() throws {
    let value = try JSONSerialization.jsonObject(with: try Self.json.get())
    root = try #require(value as? [String: Any])
  }

  /// The names of the schemas that are written by hand.
  func schemasByHand() throws -> [String] {
    let file = ReferencePage.repository.appending(path: "Sources/API/openapi-values.yaml")
    return try String(contentsOf: file, encoding: .utf8).matches(of: /(?m)^(\w+):$/)
      .map { String($0.1) }
  }

  /// The schemas by name.
  var schemas: [String: [String: Any]] {
    let components = root["components"] as? [String: Any]
    return components?["schemas"] as? [String: [String: Any]] ?? [:]
  }

  /// All methods of all paths.
  var operations: [Operation] {
    let paths = root["paths"] as? [String: [String: [String: Any]]] ?? [:]
    return paths.flatMap { path, methods in
      methods.map { method, operation in
        Operation(
          method: method.uppercased(), path: path,
          permission: operation["x-permission"] as? String ?? "none",
          summary: operation["summary"] as? String ?? "")
      }
    }
  }

  /// The targets of all `$ref` in the document.
  var references: Set<String> { Self.references(in: root) }

  /// The integers that a client may send and whose range is not said, by their places in the document.
  var unboundedIntegersToSend: [String] {
    let paths = root["paths"] as? [String: [String: [String: Any]]] ?? [:]
    var seen: Set<String> = []
    return paths.flatMap { path, methods in
      methods.flatMap { method, operation in
        ["parameters", "requestBody"].flatMap { part in
          unboundedIntegers(in: operation[part] ?? [], at: "\(method) \(path) \(part)", &seen)
        }
      }
    }
  }

  private func unboundedIntegers(
    in value: Any, at place: String, _ seen: inout Set<String>
  ) -> [String] {
    if let list = value as? [Any] {
      return list.flatMap { unboundedIntegers(in: $0, at: place, &seen) }
    }
    guard let object = value as? [String: Any] else { return [] }
    if let reference = object["$ref"] as? String {
      guard seen.insert(reference).inserted else { return [] }
      return unboundedIntegers(in: self.value(at: reference) ?? [], at: reference, &seen)
    }
    let isBounded = object["enum"] != nil || object["minimum"] != nil && object["maximum"] != nil
    let own = object["type"] as? String == "integer" && !isBounded ? [place] : []
    return own
      + object.flatMap { key, inner in unboundedIntegers(in: inner, at: "\(place)/\(key)", &seen) }
  }

  private static func references(in value: Any) -> Set<String> {
    switch value {
    case let list as [Any]: return list.reduce(into: []) { $0.formUnion(references(in: $1)) }
    case let object as [String: Any]:
      return object.reduce(into: []) { found, entry in
        if entry.key == "$ref", let target = entry.value as? String { found.insert(target) }
        found.formUnion(references(in: entry.value))
      }
    default: return []
    }
  }

  /// Whether a reference such as `#/components/schemas/RigStatus` leads to something.
  func resolves(_ reference: String) -> Bool { value(at: reference) != nil }

  private func value(at reference: String) -> Any? {
    reference.split(separator: "/").dropFirst().reduce(root) { value, part in
      (value as? [String: Any])?[String(part)]
    }
  }

  /// A value that a schema allows, with all its properties or with those only that it requires.
  func example(of name: String, isComplete: Bool) throws -> Any {
    try example(of: try #require(schemas[name], "there is no schema \(name)"), isComplete)
  }

  private func example(of schema: [String: Any], _ isComplete: Bool) throws -> Any {
    if let reference = schema["$ref"] as? String {
      return try example(
        of: String(reference.split(separator: "/").last ?? ""), isComplete: isComplete)
    }
    if let choices = schema["oneOf"] as? [[String: Any]] {
      return try example(of: try #require(isComplete ? choices.last : choices.first), isComplete)
    }
    if let example = (schema["examples"] as? [Any])?.first { return example }
    if let usual = schema["default"] { return usual }
    if let words = schema["enum"] as? [Any] { return try #require(words.first) }
    switch schema["type"] as? String {
    case "string": return "word"
    case "integer": return max(3, schema["minimum"] as? Int ?? 0)
    case "number":
      let lowest = Double(schema["minimum"] as? Int ?? 0)
      return min(max(3.5, lowest), (schema["maximum"] as? Int).map { Double($0) } ?? .infinity)
    case "boolean": return true
    case "array":
      guard isComplete else { return [Any]() }
      // Three of them, because an acceleration has three axes.
      let item = try example(of: try #require(schema["items"] as? [String: Any]), isComplete)
      return [item, item, item]
    case "object":
      var properties = schema["properties"] as? [String: [String: Any]] ?? [:]
      // An example has the latter of two properties that exclude each other.
      let excluding = (schema["not"] as? [String: Any])?["required"] as? [String]
      if let excluded = excluding?.first { properties[excluded] = nil }
      let required = schema["required"] as? [String] ?? []
      if let any = schema["additionalProperties"] as? [String: Any] {
        return ["key": try example(of: any, isComplete)]
      }
      return try properties.filter { key, schema in
        isComplete || required.contains(key) || schema["default"] != nil
      }.mapValues { try example(of: $0, isComplete) }
    default:
      Issue.record("a schema without a type: \(schema)")
      return NSNull()
    }
  }

  /// The properties that a schema requires.
  func required(of name: String) -> [String] { schemas[name]?["required"] as? [String] ?? [] }
}
