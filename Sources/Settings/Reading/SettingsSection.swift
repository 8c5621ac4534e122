/// A section of a configuration file, read key by key; keys that are never read are unknown.
package final class SettingsSection {
  let issues: SettingsIssues
  let path: String
  let place: SettingsNode.Place?
  private let entries: [SettingsNode.Entry]
  /// The values by key; looked up by hash, because a file may have many keys.
  private var values: [String: SettingsNode]
  private var asked: [String] = []
  private var askedKeys: Set<String> = []

  init(
    issues: SettingsIssues, entries: [SettingsNode.Entry], path: String, place: SettingsNode.Place?
  ) {
    self.issues = issues
    self.entries = entries
    values = Dictionary(
      entries.compactMap { entry in entry.key.scalar.map { ($0, entry.value) } },
      uniquingKeysWith: { first, _ in first })
    self.path = path
    self.place = place
  }

  /// Returns the full name of a key in this section.
  func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Returns whether the file has the key.
  package func has(_ key: String) -> Bool { node(key) != nil }

  /// Returns the first of some keys that the file has; the first of them all when it has none.
  package func firstPresent(_ keys: String...) -> String { keys.first { has($0) } ?? keys[0] }

  /// The keys of the section, in the order of the file.
  package var keys: [String] { entries.compactMap(\.key.scalar) }

  private func node(_ key: String) -> SettingsNode? {
    if askedKeys.insert(key).inserted {
      asked.append(key)
      issues.noteAsked(name(key))
    }
    return values[key]
  }

  /// Notes an issue with a key's value.
  package func note(_ problem: String, at key: String) {
    issues.note(problem, at: node(key)?.place ?? place, key: name(key))
  }

  /// Notes an issue with the section as a whole.
  package func note(_ problem: String) {
    issues.note(problem, at: place, key: path)
  }

  /// Notes that a key is missing.
  package func require(_ key: String, _ expected: String) {
    guard !has(key) else { return }
    issues.note("is missing; expected \(expected)", at: place, key: name(key), isOwnWords: true)
  }

  /// Reads a value; a value that its form refuses is an issue.
  ///
  /// - Returns: the value; `nil` when the file has no usable one.
  package func value<Value>(_ key: String, _ form: SettingForm<Value>) -> Value? {
    guard let node = node(key) else { return nil }
    if let value = form.value(of: node) { return value }
    note(found: node, expected: form.expected, isQuoted: !form.isSecret, at: name(key))
    return nil
  }

  /// Reads a list of values, each in a form.
  ///
  /// - Returns: the values that the form takes; `nil` when the file has no list there.
  package func list<Value>(_ key: String, of form: SettingForm<Value>) -> [Value]? {
    guard let node = node(key) else { return nil }
    guard case .list(let elements) = node.content else {
      note(
        found: node, expected: "a list of \(form.expected)", isQuoted: !form.isSecret,
        at: name(key))
      return nil
    }
    return elements.enumerated().compactMap { index, element in
      if let value = form.value(of: element) { return value }
      note(
        found: element, expected: form.expected, isQuoted: !form.isSecret,
        at: "\(name(key))[\(index)]")
      return nil
    }
  }

  private func note(found node: SettingsNode, expected: String, isQuoted: Bool, at key: String) {
    issues.note(
      "expected \(expected), found \(issues.describe(node, isQuoted: isQuoted))", at: node.place,
      key: key)
  }

  /// Returns whether a key's value is a section.
  package func isSection(_ key: String) -> Bool {
    if case .section? = node(key)?.content { true } else { false }
  }

  /// Returns whether a key's value is a list without elements.
  package func isEmptyList(_ key: String) -> Bool { node(key)?.content == .list([]) }

  /// Reads a subsection.
  package func section(_ key: String) -> SettingsSection? {
    node(key).flatMap { issues.section(of: $0, key: name(key)) }
  }

  /// Returns the place of a list's element, for an issue that is found later.
  package func place(of key: String, element index: Int) -> ConfigurationPlace {
    var place: SettingsNode.Place?
    if case .list(let elements)? = node(key)?.content, elements.indices.contains(index) {
      place = elements[index].place
    }
    return ConfigurationPlace(
      file: issues.file, line: max(1, place?.line ?? 1), column: max(1, place?.column ?? 1),
      key: "\(name(key))[\(index)]")
  }

  /// Takes a key of an earlier version for the present one, and notes that for a warning.
  ///
  /// A section with both keys is refused.
  func readMoved(from former: String, to key: String) {
    guard let found = entries.first(where: { $0.key.scalar == former }) else { return }
    askedKeys.insert(former)
    if entries.contains(where: { $0.key.scalar == key }) {
      issues.note(
        "is called \"\(key)\" now, which this section has as well; remove one of the two",
        at: found.key.place, key: name(former), isOwnWords: true)
    } else {
      values[key] = found.value
      issues.noteMoved(name(former), at: found.key.place, to: key)
    }
  }

  /// Refuses a key of a former version, and says what to do about it.
  package func refuseFormer(_ key: String, _ problem: String) {
    guard let found = entries.first(where: { $0.key.scalar == key }) else { return }
    askedKeys.insert(key)
    issues.note(problem, at: found.key.place, key: name(key), isOwnWords: true)
  }

  /// Refuses every key that has not been read.
  package func refuseUnknownKeys() {
    for entry in entries where !issues.isFull {
      let found = entry.key.scalar ?? "?"
      guard entry.key.scalar == nil || !askedKeys.contains(found) else { continue }
      let distance = { NearWords.distance($0, found) }
      let nearest = asked.min { distance($0) < distance($1) }
      let isNear = nearest.map { distance($0) <= max(2, found.count / 3) } ?? false
      let suggestion = isNear ? "; did you mean \"\(nearest ?? "")\"?" : ""
      issues.note(
        "is an unknown key; the keys here are \(asked.sorted().joined(separator: ", "))"
          + suggestion,
        at: entry.key.place, key: name(found), isOwnWords: true)
    }
  }
}
