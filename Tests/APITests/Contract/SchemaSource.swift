import Foundation
import Testing

/// The `Codable` types of `Sources/API`, read from their source: documentation comments are the descriptions.
///
/// The formatter keeps declarations in one form, so that a line tells enough: a member of a type is
/// indented by two columns more than the type.
struct SchemaSource {
  /// A type with its members.
  struct Declaration {
    var description = ""
    var properties: [Property] = []
    var cases: [String] = []
    /// Whether code of its own reads or writes the type, so that its members do not tell its form.
    var readsItself = false
  }

  /// A stored property.
  struct Property {
    var name: String
    var type: String
    var description: String
  }

  /// The types by their full names, such as `PressReport.Outcome`.
  private(set) var types: [String: Declaration] = [:]

  /// Reads all files below a folder.
  init(folder: URL) throws {
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      read(try String(contentsOf: file, encoding: .utf8))
    }
  }

  private mutating func read(_ text: String) {
    var scopes: [(indentation: Int, name: String)] = []
    var comment: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.drop { $0 == " " }
      let indentation = line.count - words.count
      if words.hasPrefix("///") {
        comment.append(words.dropFirst(3).trimmingCharacters(in: .whitespaces))
        continue
      }
      if words.hasPrefix("@") { continue }
      defer { comment = [] }
      if words == "}" {
        scopes.removeAll { $0.indentation >= indentation }
      } else if let found = words.firstMatch(
        of:
          /^(?:package |private )?(struct|enum|extension|protocol|(?:final )?class|actor) ([\w.]+)/)
      {
        let name = (scopes.map(\.name) + [String(found.2)]).joined(separator: ".")
        if found.1 != "extension" {
          types[name, default: Declaration()].description = sentence(comment)
        }
        if !words.hasSuffix("}") { scopes.append((indentation, String(found.2))) }
      } else if let scope = scopes.last, indentation == scope.indentation + 2 {
        take(words, of: scopes.map(\.name).joined(separator: "."), comment)
      }
    }
  }

  private mutating func take(_ words: Substring, of type: String, _ comment: [String]) {
    if let found = words.wholeMatch(of: /(?:package )?(?:let|var) (\w+): ([^={]+?)(?: = .*)?/) {
      types[type, default: Declaration()].properties.append(
        Property(
          name: String(found.1), type: String(found.2), description: sentence(comment)))
    } else if words.contains(/init\(from |func encode\(to |enum CodingKeys/) {
      types[type, default: Declaration()].readsItself = true
    } else if words.hasPrefix("case "), !words.contains("("), !words.contains(":") {
      types[type, default: Declaration()].cases += words.dropFirst(5).split(separator: ", ").map {
        $0.firstMatch(of: /"(.*)"/).map { String($0.1) } ?? String($0)
      }
    }
  }

  /// The first paragraph of a comment as one line, for readers who do not know Swift.
  private func sentence(_ comment: [String]) -> String {
    comment.prefix { !$0.isEmpty }.joined(separator: " ")
      .replacing(#/``(?:API/)?(\w+)/(\w+)``/#) { "`\($0.2)` of \($0.1)" }
      .replacing("``", with: "`").replacing("`nil`", with: "absent")
  }

  /// The full name of a type that a property of another type names.
  func resolved(_ name: String, in scope: String) -> String? {
    let parts = scope.split(separator: ".").map(String.init)
    return (0...parts.count).reversed().lazy
      .map { (parts.prefix($0) + [name]).joined(separator: ".") }
      .first { types[$0] != nil }
  }
}
