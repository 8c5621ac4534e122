import Settings

/// The reason why a text was not edited and is unchanged.
package struct ConfigurationEditError: Error, Hashable, CustomStringConvertible {
  /// The key's path.
  let key: String
  /// The problem and its solution.
  let problem: String

  /// The key and the problem in a sentence.
  package var description: String { "\"\(key)\" \(problem)." }
}

/// An editor that sets keys in a YAML text and keeps all else: comments, order, spacing.
///
/// The edited region is the smallest possible: the value alone, or one new line or member.
/// Afterwards both texts are read, and an edit that has changed anything else is refused. Values
/// that span several lines or have a tag are left to a person.
struct ConfigurationEditor {
  /// The maximum length of a value in characters.
  static let maximumValue = 1024

  /// The text with all edits so far.
  private(set) var text: String

  init(_ text: String) { self.text = text }

  /// Sets a key.
  ///
  /// - Parameters:
  ///   - key: the key's path, its parts separated by dots, for example `camera.frame_rate`.
  ///   - value: the value in YAML, on one line.
  mutating func set(_ key: String, to value: String) throws(ConfigurationEditError) {
    func refuse(_ problem: String) -> ConfigurationEditError {
      ConfigurationEditError(key: String(key.prefix(100)), problem: problem)
    }
    let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard (1...8).contains(path.count), path.allSatisfy(Self.isKey) else {
      throw refuse("is no path of a key; expected names separated by dots")
    }
    guard value.count <= Self.maximumValue, !value.isEmpty,
      !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw refuse("needs a value in one line, of 1 to \(Self.maximumValue) characters") }
    let wanted: SettingsNode
    let root: SettingsNode
    do throws(Problem) {
      wanted = try Self.node(
        of: value, named: "its value", otherwise: "needs a value in YAML, and this is none")
      let noKeys = "cannot be set: the file as it is is no YAML with keys"
      root = try Self.node(of: text, named: "the file as it is", otherwise: noKeys)
      guard case .section = root.content else { throw Problem(noKeys) }
    } catch { throw refuse(error.text) }
    let layout = YAMLLayout(text)
    let edit = Self.edit(path[...], value, in: root, layout)
    switch edit {
    case .failure(let problem): throw refuse(problem.text)
    case .success(let edit):
      let edited = layout.replacing(edit)
      let expected = root.setting(path[...], to: wanted)
      guard let found = try? ConfigurationYAML.compose(edited), found == expected else {
        throw refuse("cannot be set without changing something else; edit the file by hand")
      }
      text = edited
    }
  }

  /// Gives a key another name; leaves a text that only a person can edit as it is.
  ///
  /// - Parameter path: the key's path in its parts.
  mutating func renameKey(at path: [String], to name: String) {
    let layout = YAMLLayout(text)
    guard let root = try? ConfigurationYAML.compose(text), let key = root.key(at: path[...]),
      let former = key.scalar, let start = layout.offset(key.place), layout.has(former, at: start)
    else { return }
    let end = start + former.unicodeScalars.count
    let edited = layout.replacing(.init(range: start..<end, text: name))
    guard let found = try? ConfigurationYAML.compose(edited),
      found == root.renamingKey(at: path[...], to: name)
    else { return }
    text = edited
  }

  private static func isKey(_ name: String) -> Bool {
    NameCharacters.identifier.allow(name, length: 1...64)
  }

  // MARK: finding the region

  private struct Problem: Error {
    var text: String
    init(_ text: String) { self.text = text }
  }

  /// Returns the node that a text describes.
  ///
  /// - Parameters:
  ///   - name: the text's name in error messages.
  ///   - problem: the problem of a text that is not YAML.
  private static func node(
    of text: String, named name: String, otherwise problem: String
  ) throws(Problem) -> SettingsNode {
    do throws(YAMLRefusals) {
      if let node = try ConfigurationYAML.compose(text) { return node }
    } catch {
      // The message from libyaml does not help the author of a single value.
      if let refusal = error.all.first, refusal.isYAML, refusal.key.isEmpty {
        throw Problem(
          "cannot be set, for line \(refusal.place.line) of \(name): \(refusal.problem)")
      }
    }
    throw Problem(problem)
  }

  /// Returns the edit that sets a path below a mapping.
  private static func edit(
    _ path: ArraySlice<String>, _ value: String, in node: SettingsNode, _ layout: YAMLLayout
  ) -> Result<YAMLLayout.Edit, Problem> {
    guard let key = path.first, case .section(let entries) = node.content else {
      return replacement(of: node, by: value, layout)
    }
    guard let entry = entries.first(where: { $0.key.scalar == key }) else {
      return insertion(path, value, into: node, layout)
    }
    if path.count == 1 { return replacement(of: entry.value, after: entry.key, by: value, layout) }
    guard case .section = entry.value.content else {
      return .failure(Problem("is below \"\(key)\", which is no section"))
    }
    return edit(path.dropFirst(), value, in: entry.value, layout)
  }

  private static func replacement(
    of node: SettingsNode, after key: SettingsNode? = nil, by value: String, _ layout: YAMLLayout
  ) -> Result<YAMLLayout.Edit, Problem> {
    if node.content == .scalar("", isPlain: true), let key, let name = key.scalar,
      let start = layout.offset(key.place)
    {
      let end = start + name.unicodeScalars.count
      guard layout.scalar(at: end) == ":" else { return .failure(Problem(byHand)) }
      return .success(.init(range: end + 1..<end + 1, text: " " + value))
    }
    guard let start = layout.offset(node.place) else { return .failure(Problem(byHand)) }
    if let end = layout.endOfDelimited(at: start) {
      return .success(.init(range: start..<end, text: value))
    }
    switch node.content {
    case .scalar(let text, _) where layout.has(text, at: start):
      let end = start + text.unicodeScalars.count
      return .success(.init(range: start..<end, text: value))
    case .section, .list:
      return .failure(Problem("is a section or a list of several lines; set its keys one by one"))
    case .scalar: return .failure(Problem(byHand))
    }
  }

  private static let byHand = "is written in a way that only a person can edit; do it by hand"

  /// Returns a new member of a mapping; missing sections are made on one line.
  private static func insertion(
    _ path: ArraySlice<String>, _ value: String, into node: SettingsNode, _ layout: YAMLLayout
  ) -> Result<YAMLLayout.Edit, Problem> {
    let inner = path.dropFirst().reversed().reduce(value) { "{ \($1): \($0) }" }
    let member = "\(path.first ?? ""): \(inner)"
    guard let start = layout.offset(node.place), case .section(let entries) = node.content else {
      return .failure(Problem(byHand))
    }
    if layout.scalar(at: start) == "{" {
      guard let end = layout.endOfDelimited(at: start) else { return .failure(Problem(byHand)) }
      let place = layout.endOfContent(before: end - 1)
      let text = entries.isEmpty ? " \(member) " : ", \(member)"
      return .success(.init(range: place..<place, text: text))
    }
    guard let first = entries.first?.key.place else { return .failure(Problem(byHand)) }
    let last = lastLine(of: node)
    return .success(layout.newLine(member, after: last, indentation: first.column - 1))
  }

  /// Returns the line in which the last part of a node begins.
  private static func lastLine(of node: SettingsNode) -> Int {
    let own = node.place?.line ?? 1
    switch node.content {
    case .scalar: return own
    case .list(let elements): return elements.reduce(own) { max($0, lastLine(of: $1)) }
    case .section(let entries):
      return entries.reduce(own) { max($0, lastLine(of: $1.key), lastLine(of: $1.value)) }
    }
  }
}
