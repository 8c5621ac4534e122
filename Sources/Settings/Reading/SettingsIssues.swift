/// The issues that the readers of a configuration's sections find, and the keys they look for.
package final class SettingsIssues {
  /// The maximum number of collected issues.
  ///
  /// A person corrects no more at once, and a malicious text must not cause ever longer answers.
  package static let maximumCount = 100

  /// The file's name for the messages.
  package let file: String
  /// The issues, up to ``maximumCount``.
  package private(set) var issues: [ConfigurationIssue] = []
  /// Whether the text has more issues than are collected.
  package private(set) var isFull = false
  /// Whether the file is a configuration: it has the section `rig`, which every configuration has.
  ///
  /// No value of another file is shown. Service programs check files for people who may not read
  /// the contents of some files.
  package var isConfiguration = false
  /// Every key that was looked for, with its sections, even if it was absent.
  package private(set) var askedKeys: Set<String> = []
  /// The keys that the text has under their names of an earlier version.
  package private(set) var movedKeys: [MovedKey] = []

  package init(file: String) {
    self.file = file
  }

  func noteAsked(_ key: String) { askedKeys.insert(key) }

  func noteMoved(_ former: String, at place: SettingsNode.Place?, to name: String) {
    let place = ConfigurationPlace(
      file: file, line: max(1, place?.line ?? 1), column: max(1, place?.column ?? 1), key: former)
    let key = MovedKey(place: place, name: name)
    // A section may be read more than once.
    if !movedKeys.contains(key) { movedKeys.append(key) }
  }

  /// Notes an issue.
  ///
  /// - Parameters:
  ///   - problem: the problem; quotations in it are shown only for a configuration.
  ///   - place: the place; `nil` for the file's beginning.
  ///   - key: the key with its sections.
  ///   - isOwnWords: whether `problem` quotes nothing from the file and can therefore always be
  ///     shown.
  package func note(
    _ problem: String, at place: SettingsNode.Place?, key: String, isOwnWords: Bool = false
  ) {
    guard issues.count < Self.maximumCount else {
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
      file: file, line: max(1, place?.line ?? 1), column: max(1, place?.column ?? 1), key: key,
      problem: problem)
    // A section may be read more than once.
    if !issues.contains(issue) { issues.append(issue) }
  }

  /// Returns a node as a section; notes an issue and returns `nil` for any other node.
  package func section(of node: SettingsNode, key: String) -> SettingsSection? {
    guard case .section(let entries) = node.content else {
      note("expected a section with keys, found \(describe(node))", at: node.place, key: key)
      return nil
    }
    return SettingsSection(issues: self, entries: entries, path: key, place: node.place)
  }

  /// Describes a value: by its text in a configuration, by its kind in any other file.
  ///
  /// - Parameter isQuoted: whether the text may be shown; `false` where it may be a secret.
  func describe(_ node: SettingsNode, isQuoted: Bool = true) -> String {
    switch node.content {
    case .scalar(let text, _):
      if text.isEmpty { return "nothing" }
      guard isConfiguration, isQuoted else { return "text" }
      return "\"\(text.prefix(60))\(text.count > 60 ? "…" : "")\""
    case .section: return "a section"
    case .list: return "a list"
    }
  }

  /// Returns a sentence without the text between its first and its last quotation mark.
  private static func withoutQuotations(_ problem: String) -> String {
    guard let first = problem.firstIndex(of: "\""), let last = problem.lastIndex(of: "\""),
      first < last
    else { return problem }
    return problem[..<first] + "…" + problem[problem.index(after: last)...]
  }

  /// Returns a key in displayable form: in other files, a line with a hash can pass for a key.
  private static func shown(_ key: String) -> String {
    key.utf8.count <= 32 && key.utf8.allSatisfy(NameCharacters.identifier.contains) ? key : "?"
  }
}
