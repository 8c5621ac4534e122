import Yams

/// The YAML of a configuration file, parsed into nodes with their places.
///
/// Aliases are refused before anything is expanded, so a file cannot grow in memory; nesting is
/// bounded by libyaml (1000 levels). Yams stops at the first duplicate key, while all errors of a
/// file are wanted: the first key of a duplicate pair is therefore renamed in the text, to as
/// many private-use characters so that no place moves, and the text parsed again.
struct ConfigurationDocument {
  /// How many duplicate keys are worked around before reading ends with them.
  private static let largestDuplicateCount = 10

  /// The top node.
  let root: Node
  /// The keys that stand again further down, by the names they were given.
  private let duplicates: [String: String]

  /// Parses a text and reports what is wrong with it as YAML.
  ///
  /// - Returns: `nil` when there are no nodes to read.
  init?(text: String, reader: ConfigurationReader) {
    if Self.reportAliases(in: text, reader: reader) { return nil }
    var text = text
    var duplicates: [String: String] = [:]
    while true {
      do {
        guard let root = try Parser(yaml: text, encoding: .utf8).singleRoot() else {
          reader.report(
            "expected a mapping of sections, found an empty file", key: nil, at: nil)
          return nil
        }
        self.root = root
        self.duplicates = duplicates
        return
      } catch YamlError.duplicatedKeysInMapping(let names, let context) {
        guard let name = names.first, duplicates.count < Self.largestDuplicateCount,
          let renamed = Self.rename(
            name, at: context.mark, in: text, number: UInt32(duplicates.count))
        else {
          reader.report(
            "expected each key once, found it twice in one mapping", key: names.first,
            at: ConfigurationPlace(context.mark))
          return nil
        }
        text = renamed.text
        duplicates[renamed.name] = name
      } catch {
        let (problem, place) = Self.describe(error, text: text)
        reader.report("this is not YAML: \(problem)", key: nil, at: place)
        return nil
      }
    }
  }

  /// The name that a key has in the file.
  func name(ofKey key: String) -> String { duplicates[key] ?? key }

  /// Finds aliases by their text, wherever they stand.
  ///
  /// An alias needs an anchor of its name, `&name` before `*name`; no other text of a
  /// configuration has both.
  private static func reportAliases(in text: String, reader: ConfigurationReader) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "&")), text.utf8.contains(UInt8(ascii: "*")) else {
      return false
    }
    var anchors: Set<String> = []
    var isFound = false
    for (number, line) in lines(of: text).enumerated() {
      for index in line.indices where line[index] == "&" || line[index] == "*" {
        let rest = line[line.index(after: index)...].prefix { scalar in
          UInt8(exactly: scalar.value).map(ConfigurationKind<String>.isWordByte) ?? false
        }
        let name = String(rest)
        if name.isEmpty { continue }
        if line[index] == "&" {
          anchors.insert(name)
        } else if anchors.contains(name) {
          isFound = true
          let column = line.distance(from: line.startIndex, to: index) + 1
          reader.report(
            "expected the value itself, found the alias \"*\(ConfigurationReader.printable(name))\"",
            key: nil, at: ConfigurationPlace(line: number + 1, column: column))
        }
      }
    }
    return isFound
  }

  /// Gives a key another name of the same length.
  private static func rename(
    _ name: String, at mark: Mark, in text: String, number: UInt32
  ) -> (text: String, name: String)? {
    let lines = lines(of: text)
    let count = name.unicodeScalars.count
    guard count > 0, lines.indices.contains(mark.line - 1),
      let first = Unicode.Scalar(0xE001 + number)
    else { return nil }
    let line = lines[mark.line - 1]
    guard
      var start = line.index(
        line.startIndex, offsetBy: max(mark.column - 1, 0), limitedBy: line.endIndex)
    else { return nil }
    if start < line.endIndex, line[start] == "\"" || line[start] == "'" {
      start = line.index(after: start)
    }
    guard line[start...].starts(with: name.unicodeScalars),
      let end = line.index(start, offsetBy: count, limitedBy: line.endIndex)
    else { return nil }
    var newName = String.UnicodeScalarView()
    newName.append(first)
    for _ in 1..<max(count, 1) { newName.append("\u{E000}") }
    var result = String.UnicodeScalarView(text.unicodeScalars[..<start])
    result.append(contentsOf: newName)
    result.append(contentsOf: text.unicodeScalars[end...])
    return (String(result), String(newName))
  }

  /// The lines as libyaml counts them: ended by CR LF, CR, LF, NEL, LS or PS.
  private static func lines(of text: String) -> [Substring.UnicodeScalarView] {
    let scalars = text.unicodeScalars
    var lines: [Substring.UnicodeScalarView] = []
    var start = scalars.startIndex
    var index = start
    while index < scalars.endIndex {
      let scalar = scalars[index]
      let next = scalars.index(after: index)
      if ["\r", "\n", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) {
        lines.append(scalars[start..<index])
        let isPair = scalar == "\r" && next < scalars.endIndex && scalars[next] == "\n"
        start = isPair ? scalars.index(after: next) : next
        index = start
      } else {
        index = next
      }
    }
    lines.append(scalars[start...])
    return lines
  }

  private static func describe(_ error: any Error, text: String) -> (String, ConfigurationPlace?) {
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      return (
        [context?.text, problem].compactMap(\.self).joined(separator: ", "),
        ConfigurationPlace(mark)
      )
    case YamlError.reader(let problem, let offset, _, _):
      let before = lines(of: String(text.prefix(offset ?? 0)))
      let place = ConfigurationPlace(
        line: before.count, column: (before.last?.count ?? 0) + 1)
      return (problem, place)
    default:
      return ("\(error)", nil)
    }
  }
}
