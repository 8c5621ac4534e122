import Yams

/// A mapping of a configuration file being read: knows which keys have been asked for.
///
/// Reading never stops: a wrong value is reported and the default goes on in its place.
final class ConfigurationMapping {
  private struct Entry {
    var keyPlace: ConfigurationPlace?
    var value: Node
  }

  /// The section's name, for example `camera`; `nil` at the top.
  private let path: String?
  private let place: ConfigurationPlace?
  private let document: ConfigurationDocument
  private let reader: ConfigurationReader
  private var entries: [String: Entry] = [:]
  private var knownKeys: [String] = []

  /// Makes a mapping of a node; reports it and returns `nil` when it is none.
  init?(
    node: Node, path: String?, document: ConfigurationDocument, reader: ConfigurationReader
  ) {
    self.path = path
    self.place = node.place
    self.document = document
    self.reader = reader
    guard case .mapping(let mapping) = node else {
      reader.report(
        "expected a mapping, found \(ConfigurationReader.describe(node))", key: path,
        at: node.place)
      return nil
    }
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else {
        reader.report(
          "expected a key, found \(ConfigurationReader.describe(key))", key: path, at: key.place)
        continue
      }
      let name = document.name(ofKey: scalar.string)
      if let first = entries[name] {
        reader.report(
          "expected the key once, found it again after line \(first.keyPlace?.line ?? 1)",
          key: fullKey(name), at: key.place)
      }
      entries[name] = Entry(keyPlace: key.place, value: value)
    }
  }

  /// Makes the empty mapping that stands for a section that is not there.
  private init(absentIn parent: ConfigurationMapping, path: String) {
    self.path = path
    place = parent.place
    document = parent.document
    reader = parent.reader
  }

  /// Whether the file has the key.
  func contains(_ key: String) -> Bool { entries[key] != nil }

  /// Reads a value that may be missing; `nil` when it is, or when it is wrong.
  func read<Value>(_ key: String, as kind: ConfigurationKind<Value>) -> Value? {
    knownKeys.append(key)
    return entries[key].flatMap { value(of: $0.value, key: fullKey(key), as: kind) }
  }

  /// Reads a value that has a default.
  func read<Value>(
    _ key: String, as kind: ConfigurationKind<Value>, default: Value
  ) -> Value {
    read(key, as: kind) ?? `default`
  }

  /// Reads a value that must be there.
  func require<Value>(_ key: String, as kind: ConfigurationKind<Value>) -> Value? {
    let value = read(key, as: kind)
    if !contains(key) {
      report(key, "expected \(kind.expected), found nothing: the key is required")
    }
    return value
  }

  /// Reads a list; `nil` when it is missing or wrong.
  ///
  /// - Parameter expected: the list in words, for example `a list of names`.
  func readList<Value: Hashable>(
    _ key: String, of kind: ConfigurationKind<Value>, expected: String
  ) -> [Value]? {
    knownKeys.append(key)
    guard let entry = entries[key] else { return nil }
    guard case .sequence(let nodes) = entry.value, !nodes.isEmpty else {
      let found =
        entry.value.sequence == nil
        ? ConfigurationReader.describe(entry.value) : "an empty list"
      reader.report(
        "expected \(expected), found \(found)", key: fullKey(key), at: entry.value.place)
      return nil
    }
    var values: [Value] = []
    for (index, node) in nodes.enumerated() {
      let elementKey = fullKey(key) + "[\(index)]"
      guard let value = value(of: node, key: elementKey, as: kind) else { continue }
      if values.contains(value) {
        reader.report(
          "expected each value once, found \(ConfigurationReader.describe(node)) again",
          key: elementKey, at: node.place)
      }
      values.append(value)
    }
    return values.isEmpty ? nil : values
  }

  /// Reads a section that may be missing; `nil` when it is, or when it is wrong.
  func readSection<Value>(
    _ key: String, _ body: (ConfigurationMapping) -> Value?
  ) -> Value? {
    knownKeys.append(key)
    guard let entry = entries[key],
      let mapping = ConfigurationMapping(
        node: entry.value, path: fullKey(key), document: document, reader: reader)
    else { return nil }
    defer { mapping.finish() }
    return body(mapping)
  }

  /// Reads a section whose keys count as missing when the section is.
  func requireSection<Value>(
    _ key: String, _ body: (ConfigurationMapping) -> Value?
  ) -> Value? {
    if contains(key) { return readSection(key, body) }
    knownKeys.append(key)
    return body(ConfigurationMapping(absentIn: self, path: fullKey(key)))
  }

  /// Reports a problem of a key, at its value or, when it is missing, at its mapping.
  func report(_ key: String, _ problem: String) {
    reader.report(problem, key: fullKey(key), at: entries[key]?.value.place ?? place)
  }

  /// Reports the problem of a mapping as a whole.
  func report(_ problem: String) {
    reader.report(problem, key: path, at: place)
  }

  /// Reports the keys that nobody has asked for.
  func finish() {
    for (key, entry) in entries where !knownKeys.contains(key) {
      let shown = ConfigurationReader.printable(key)
      let allowed = knownKeys.joined(separator: ", ")
      let hint = NearestWord.of(key, in: knownKeys).map { "; did you mean \"\($0)\"?" } ?? ""
      reader.report(
        "expected one of \(allowed), found \"\(shown)\"\(hint)", key: fullKey(key),
        at: entry.keyPlace)
    }
  }

  private func value<Value>(
    of node: Node, key: String, as kind: ConfigurationKind<Value>
  ) -> Value? {
    if case .scalar(let scalar) = node, let value = kind.value(of: scalar) { return value }
    reader.report(
      "expected \(kind.expected), found \(ConfigurationReader.describe(node))", key: key,
      at: node.place)
    return nil
  }

  private func fullKey(_ key: String) -> String {
    path.map { "\($0).\(key)" } ?? key
  }
}
