import Yams

/// Reads a YAML text and collects everything that is wrong with it.
///
/// Not a `Codable` decoder, because that stops at the first error and forgets the lines.
final class ConfigurationReader {
  /// The longest file that is read, in bytes.
  static let maximumBytes = 1 << 20

  let file: String
  private(set) var issues: [ConfigurationIssue] = []

  init(file: String) {
    self.file = file
  }

  /// The file's outermost mapping; `nil` when the text is no YAML mapping, which is then an issue.
  func root(of text: String) -> ConfigurationMapping? {
    guard text.utf8.count <= ConfigurationReader.maximumBytes else {
      note("the file is longer than \(ConfigurationReader.maximumBytes) bytes", at: nil, key: "")
      return nil
    }
    do {
      guard let node = try compose(yaml: text) else {
        note("the file is empty; expected at least the section \"rig\"", at: nil, key: "")
        return nil
      }
      return mapping(of: node, key: "")
    } catch let error as YamlError {
      note(error, in: text)
    } catch {
      note("the file is no YAML: \(error)", at: nil, key: "")
    }
    return nil
  }

  func mapping(of node: Node, key: String) -> ConfigurationMapping? {
    guard case .mapping(let mapping) = node else {
      note("expected a section with keys, found \(describe(node))", at: node.mark, key: key)
      return nil
    }
    return ConfigurationMapping(reader: self, mapping: mapping, path: key, mark: node.mark)
  }

  func note(_ problem: String, at mark: Mark?, key: String) {
    note(problem, line: mark?.line ?? 1, column: mark?.column ?? 1, key: key)
  }

  private func note(_ problem: String, line: Int, column: Int, key: String) {
    issues.append(
      ConfigurationIssue(
        file: file, line: max(1, line), column: max(1, column), key: key, problem: problem))
  }

  private func note(_ error: YamlError, in text: String) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      note("the file is no YAML: \(problem)", at: mark, key: "")
    case .duplicatedKeysInMapping(let duplicates, let context):
      for duplicate in duplicates {
        let place = lastPlace(of: duplicate, in: text, from: context.mark.line)
        note(
          "is there twice", line: place?.line ?? context.mark.line,
          column: place?.column ?? context.mark.column, key: duplicate)
      }
    default:
      note("the file is no YAML: \(error)", at: nil, key: "")
    }
  }

  /// Where a key that is there twice stands last; Yams names only the section's beginning.
  private func lastPlace(
    of key: String, in text: String, from first: Int
  ) -> (line: Int, column: Int)? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated().reversed() where index + 1 >= first {
      let indentation = line.prefix { $0 == " " }
      if line.dropFirst(indentation.count).hasPrefix(key + ":") {
        return (index + 1, indentation.count + 1)
      }
    }
    return nil
  }

  func describe(_ node: Node) -> String {
    switch node {
    case .scalar(let scalar):
      let text = scalar.string
      return text.isEmpty ? "nothing" : "\"\(text.prefix(60))\(text.count > 60 ? "…" : "")\""
    case .mapping: return "a section"
    case .sequence: return "a list"
    case .alias: return "an alias"
    }
  }
}
