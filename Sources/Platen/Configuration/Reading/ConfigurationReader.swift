import Yams

/// A reader of a YAML text, which collects all errors.
///
/// The reader is not a `Codable` decoder, because a decoder stops at the first error and forgets
/// the lines.
final class ConfigurationReader {
  /// The maximum length of a file in bytes.
  static let maximumBytes = 1 << 20
  /// The maximum number of collected issues.
  ///
  /// Nobody corrects more at once, and a malicious text must not cause ever longer answers.
  static let maximumIssues = 100

  let file: String
  /// The issues, up to ``maximumIssues``.
  private(set) var issues: [ConfigurationIssue] = []
  /// Whether the text has more issues than are collected.
  private(set) var isFull = false
  /// Whether the file is a configuration: it has the section `rig`, which every configuration has.
  ///
  /// No value of another file is shown. Service programs check files for people who may not read
  /// the contents of some files.
  private var isConfiguration = false
  /// Every key that was looked for, with its sections, even if it was absent.
  private(set) var askedKeys: Set<String> = []

  init(file: String) {
    self.file = file
  }

  /// Returns the file's outermost mapping; notes an issue and returns `nil` when there is none.
  func root(of text: String) -> ConfigurationMapping? {
    guard text.utf8.count <= ConfigurationReader.maximumBytes else {
      note("the file is longer than \(ConfigurationReader.maximumBytes) bytes", at: nil, key: "")
      return nil
    }
    do {
      guard let node = try ConfigurationYAML.compose(text) else {
        note(
          "the file is empty; expected at least the section \"rig\"", at: nil, key: "",
          isOwnWords: true)
        return nil
      }
      let root = mapping(of: node, key: "")
      isConfiguration = root?.keys.contains("rig") == true
      return root
    } catch let refusal as YAMLScan.Refusal {
      note(refusal.problem, line: refusal.line, column: refusal.column, key: "")
    } catch let error as YamlError {
      note(error, in: text)
    } catch {
      note("the file is no YAML", at: nil, key: "")
    }
    return nil
  }

  func noteAsked(_ key: String) { askedKeys.insert(key) }

  func mapping(of node: Node, key: String) -> ConfigurationMapping? {
    guard case .mapping(let mapping) = node else {
      note("expected a section with keys, found \(describe(node))", at: node.mark, key: key)
      return nil
    }
    return ConfigurationMapping(reader: self, mapping: mapping, path: key, mark: node.mark)
  }

  /// Notes an issue.
  ///
  /// - Parameters:
  ///   - problem: the problem; quotations in it are shown only for a configuration.
  ///   - mark: the place; `nil` for the file's beginning.
  ///   - key: the key with its sections.
  ///   - isOwnWords: whether `problem` quotes nothing from the file and can therefore always be
  ///     shown.
  func note(_ problem: String, at mark: Mark?, key: String, isOwnWords: Bool = false) {
    note(
      problem, line: mark?.line ?? 1, column: mark?.column ?? 1, key: key, isOwnWords: isOwnWords)
  }

  private func note(
    _ problem: String, line: Int, column: Int, key: String, isOwnWords: Bool = false
  ) {
    guard issues.count < ConfigurationReader.maximumIssues else {
      isFull = true
      return
    }
    var (key, problem) = (key, problem)
    if !isConfiguration {
      key = key.split(separator: ".", omittingEmptySubsequences: false)
        .map { Self.shown(String($0)) }.joined(separator: ".")
      if !isOwnWords { problem = Self.withoutQuotations(problem) }
    }
    let issue = ConfigurationIssue(
      file: file, line: max(1, line), column: max(1, column), key: key, problem: problem)
    // A section may be read more than once.
    if !issues.contains(issue) { issues.append(issue) }
  }

  /// Returns a sentence without the text between its first and its last quotation mark.
  private static func withoutQuotations(_ problem: String) -> String {
    guard let first = problem.firstIndex(of: "\""), let last = problem.lastIndex(of: "\""),
      first < last
    else { return problem }
    return problem[..<first] + "…" + problem[problem.index(after: last)...]
  }

  private func note(_ error: YamlError, in text: String) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      note("the file is no YAML: \(problem)", at: mark, key: "")
    case .reader(let problem, let offset, _, let yaml):
      // The error's own description quotes the line.
      let lines = yaml.prefix(offset ?? 0).split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      note(
        "the file is no YAML: \(problem)", line: lines.count,
        column: (lines.last?.count ?? 0) + 1, key: "")
    case .duplicatedKeysInMapping(let duplicates, let context):
      let places = Self.lastPlaces(of: Set(duplicates), in: text, beside: context.mark)
      let found = duplicates.map { key -> (key: String, line: Int, column: Int) in
        let place = places[key]
        return (key, place?.line ?? context.mark.line, place?.column ?? context.mark.column)
      }
      for (key, line, column) in found.sorted(by: { ($0.line, $0.column) < ($1.line, $1.column) }) {
        note("is there twice", line: line, column: column, key: key)
      }
    default:
      note("the file is no YAML: \(error)", at: nil, key: "")
    }
  }

  /// Returns the last places of a section's duplicate keys.
  ///
  /// Yams reports only the first place of one of them. All keys of a section with separate lines
  /// have the same indentation.
  private static func lastPlaces(
    of keys: Set<String>, in text: String, beside mark: Mark
  ) -> [String: (line: Int, column: Int)] {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let margin = mark.column - 1
    func indentation(_ index: Int) -> Int {
      lines[index].prefix { $0 == UInt8(ascii: " ") }.count
    }
    func isWithin(_ index: Int) -> Bool {
      guard lines.indices.contains(index) else { return false }
      let width = indentation(index)
      guard let content = lines[index].dropFirst(width).first else { return true }
      return width >= margin || content == UInt8(ascii: "#") || content == UInt8(ascii: "\r")
    }
    var first = mark.line - 1
    while isWithin(first), isWithin(first - 1) { first -= 1 }
    var next = mark.line
    while isWithin(next) { next += 1 }
    var places: [String: (line: Int, column: Int)] = [:]
    for index in first..<next where lines.indices.contains(index) && indentation(index) == margin {
      guard let key = Self.key(in: lines[index].dropFirst(margin)), keys.contains(key) else {
        continue
      }
      places[key] = (index + 1, mark.column)
    }
    return places
  }

  /// Returns the key at a line's start, up to the first colon before a blank or the line's end.
  private static func key(in line: Substring.UTF8View) -> String? {
    var rest = line
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[line.index(after: colon)...]
      guard let next = rest.first else { return String(line[..<colon]) }
      if " \t\r".utf8.contains(next) { return String(line[..<colon]) }
    }
    return nil
  }

  /// Returns a key in displayable form: in other files, a line with a hash can pass for a key.
  private static func shown(_ key: String) -> String {
    key.utf8.count <= 32 && key.utf8.allSatisfy(isNameByte) ? key : "?"
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Describes a value: by its text in a configuration, by its kind in any other file.
  ///
  /// - Parameter isQuoted: whether the text may be shown; `false` where it may be a secret.
  func describe(_ node: Node, isQuoted: Bool = true) -> String {
    switch node {
    case .scalar(let scalar):
      let text = scalar.string
      if text.isEmpty { return "nothing" }
      guard isConfiguration, isQuoted else { return "text" }
      return "\"\(text.prefix(60))\(text.count > 60 ? "…" : "")\""
    case .mapping: return "a section"
    case .sequence: return "a list"
    case .alias: return "an alias"
    }
  }
}
