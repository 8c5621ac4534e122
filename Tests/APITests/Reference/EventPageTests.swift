import Foundation
import TestSupport
import Testing

@testable import API

/// The reference page of the events.
@Suite struct EventPageTests {
  /// A kind of event as its source declares it.
  private struct Declaration {
    var kind: String
    var report: String
    var isList: Bool
    var sentence: String
  }

  /// The kinds in the order of their source, each with the summary of its documentation.
  private func declarations() throws -> [Declaration] {
    let file = ReferencePage.repository.appending(path: "Sources/API/Events/RigEvent.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let pattern = /\n    \/\/\/ (.+)\n(?:    \/\/\/.*\n)*    case (\w+)\((\[?)(\w+)\]?\)/
    return source.matches(of: pattern).map { match in
      Declaration(
        kind: String(match.2), report: String(match.4), isList: !match.3.isEmpty,
        sentence: String(match.1))
    }
  }

  private func rows(of report: String, _ document: OpenAPIDocument) throws -> [[String]] {
    let schema = try #require(document.schemas[report], "\(report)")
    let properties = try #require(schema["properties"] as? [String: [String: Any]], "\(report)")
    let required = schema["required"] as? [String] ?? []
    return properties.sorted { $0.key < $1.key }.map { name, property in
      let text = property["description"] as? String ?? meaning(of: property, document)
      return ["`\(name)`", required.contains(name) ? "always" : "where known", text]
    }
  }

  /// Returns the description of the schema to which a property refers; empty for none.
  private func meaning(of property: [String: Any], _ document: OpenAPIDocument) -> String {
    let name = (property["$ref"] as? String)?.split(separator: "/").last.map(String.init)
    return name.flatMap { document.schemas[$0]?["description"] as? String } ?? ""
  }

  @Test func `the page of the events is current`() throws {
    let declarations = try declarations()
    #expect(Set(declarations.map(\.kind)) == Set(RigEvent.Kind.allCases.map(\.rawValue)))
    let document = try OpenAPIDocument()
    let kinds = declarations.map { declaration in
      [
        "`\(declaration.kind)`", (declaration.isList ? "a list of " : "") + declaration.report,
        declaration.sentence,
      ]
    }
    let reports = declarations.reduce(into: [String]()) { names, declaration in
      if !names.contains(declaration.report) { names.append(declaration.report) }
    }
    let sections = try reports.map { report in
      "## \(report)\n\n"
        + ReferencePage.table(["key", "present", "meaning"], try rows(of: report, document))
    }
    let text = """
      # Events

      `GET /v1/events` streams the changes of a rig as server-sent events. The name of an event is its kind. \
      `data` is a JSON object with `id`, `kind`, `timeNanoseconds` (`CLOCK_MONOTONIC`), and a report under the name of the kind. \
      [Conventions](api-conventions.md#events) has what holds for all streams; [openapi.yaml](../../Sources/API/openapi.yaml) has the types.

      \(ReferencePage.table(["kind", "report", "change"], kinds))

      \(sections.joined(separator: "\n\n"))
      """
    let difference = try ReferencePage.difference(of: "events.md", text)
    #expect(difference == nil, "\(difference ?? "")")
  }
}
