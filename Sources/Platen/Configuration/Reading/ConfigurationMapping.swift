import Yams

/// A section of a configuration file, read key by key; keys that are never read are unknown.
final class ConfigurationMapping {
  let reader: ConfigurationReader
  let path: String
  let mark: Mark?
  private let mapping: Node.Mapping
  /// The values by key; looked up by hash, because a file may have many keys.
  private let values: [String: Node]
  private var asked: [String] = []
  private var askedKeys: Set<String> = []

  init(reader: ConfigurationReader, mapping: Node.Mapping, path: String, mark: Mark?) {
    self.reader = reader
    self.mapping = mapping
    values = Dictionary(
      mapping.compactMap { pair in pair.key.scalar.map { ($0.string, pair.value) } },
      uniquingKeysWith: { first, _ in first })
    self.path = path
    self.mark = mark
  }

  /// Returns the full name of a key in this section.
  func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Returns whether the file has the key.
  func has(_ key: String) -> Bool { node(key) != nil }

  /// The keys of the section, in the order of the file.
  var keys: [String] { mapping.compactMap { $0.key.scalar?.string } }

  private func node(_ key: String) -> Node? {
    if askedKeys.insert(key).inserted {
      asked.append(key)
      reader.noteAsked(name(key))
    }
    return values[key]
  }

  /// Notes an issue with a key's value.
  func note(_ problem: String, at key: String) {
    reader.note(problem, at: node(key)?.mark ?? mark, key: name(key))
  }

  /// Notes an issue with the section as a whole.
  func note(_ problem: String) {
    reader.note(problem, at: mark, key: path)
  }

  /// Notes that a key is missing.
  func require(_ key: String, _ expected: String) {
    guard !has(key) else { return }
    reader.note("is missing; expected \(expected)", at: mark, key: name(key), isOwnWords: true)
  }

  /// Reads a value with a parser; a value that the parser refuses is an issue.
  ///
  /// - Parameters:
  ///   - expected: the expected value in words.
  ///   - isQuoted: whether the issue quotes the value; `false` where the value may be a secret.
  ///   - parse: a function from the value's text to the value; `nil` refuses the text.
  func value<Value>(
    _ key: String, expected: String, isQuoted: Bool = true, parse: (String) -> Value?
  ) -> Value? {
    guard let node = node(key) else { return nil }
    if case .scalar(let scalar) = node, let value = parse(scalar.string) { return value }
    let found = reader.describe(node, isQuoted: isQuoted)
    reader.note("expected \(expected), found \(found)", at: node.mark, key: name(key))
    return nil
  }

  /// Returns whether a key's value is a certain word.
  func says(_ word: String, at key: String) -> Bool { node(key)?.scalar?.string == word }

  /// Returns whether a key's value is a section.
  func isSection(_ key: String) -> Bool {
    if case .mapping? = node(key) { true } else { false }
  }

  /// Returns whether a key's value is written without quotes.
  func isUnquoted(_ key: String) -> Bool {
    guard let style = node(key)?.scalar?.style else { return false }
    return style == .plain || style == .any
  }

  /// Reads a subsection.
  func section(_ key: String) -> ConfigurationMapping? {
    guard let node = node(key) else { return nil }
    return reader.mapping(of: node, key: name(key))
  }

  /// Reads a list of values with a parser.
  func list<Value>(
    _ key: String, expected: String, parse: (String) -> Value?
  ) -> [Value]? {
    guard let node = node(key) else { return nil }
    guard case .sequence(let sequence) = node else {
      reader.note(
        "expected a list of \(expected), found \(reader.describe(node))", at: node.mark,
        key: name(key))
      return nil
    }
    return sequence.enumerated().compactMap { index, element in
      if case .scalar(let scalar) = element, let value = parse(scalar.string) { return value }
      reader.note(
        "expected \(expected), found \(reader.describe(element))", at: element.mark,
        key: "\(name(key))[\(index)]")
      return nil
    }
  }

  /// Returns the place of a list's element, for an issue that is found later.
  func place(of key: String, element index: Int) -> ConfigurationPlace {
    let mark = node(key)?.sequence.flatMap { $0.indices.contains(index) ? $0[index].mark : nil }
    return ConfigurationPlace(
      file: reader.file, line: max(1, mark?.line ?? 1), column: max(1, mark?.column ?? 1),
      key: "\(name(key))[\(index)]")
  }

  /// Refuses a key of a former version, and says what to do about it.
  func refuseFormer(_ key: String, _ problem: String) {
    guard let found = mapping.first(where: { $0.key.scalar?.string == key }) else { return }
    askedKeys.insert(key)
    reader.note(problem, at: found.key.mark, key: name(key), isOwnWords: true)
  }

  /// Refuses every key that has not been read.
  func refuseUnknownKeys() {
    for (key, _) in mapping where !reader.isFull {
      let found = key.scalar?.string ?? "?"
      guard key.scalar == nil || !askedKeys.contains(found) else { continue }
      let nearest = asked.min { distance($0, found) < distance($1, found) }
      let isNear = nearest.map { distance($0, found) <= max(2, found.count / 3) } ?? false
      let suggestion = isNear ? "; did you mean \"\(nearest ?? "")\"?" : ""
      reader.note(
        "is an unknown key; the keys here are \(asked.sorted().joined(separator: ", "))"
          + suggestion,
        at: key.mark, key: name(found), isOwnWords: true)
    }
  }

  /// Returns the Levenshtein distance between two words.
  private func distance(_ first: String, _ second: String) -> Int {
    let first = Array(first.prefix(64)), second = Array(second.prefix(64))
    var row = Array(0...second.count)
    for (index, character) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in second.enumerated() {
        let substitution = diagonal + (character == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substitution, row[column] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
