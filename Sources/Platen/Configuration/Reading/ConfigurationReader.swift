import Yams

/// A place in a configuration file; both numbers begin at 1.
struct ConfigurationPlace {
  var line: Int
  var column: Int

  init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  init(_ mark: Mark) {
    self.init(line: mark.line, column: mark.column)
  }
}

extension Node {
  /// Where the node begins.
  var place: ConfigurationPlace? {
    mark.map(ConfigurationPlace.init)
  }
}

/// A pass over one configuration file that collects all of its errors instead of ending at one.
final class ConfigurationReader {
  let file: String
  private(set) var errors: [ConfigurationError] = []

  init(file: String) {
    self.file = file
  }

  /// Notes an error; a place that YAML does not know is the file's beginning.
  func report(_ problem: String, key: String?, at place: ConfigurationPlace?) {
    errors.append(
      ConfigurationError(
        file: file, line: max(place?.line ?? 1, 1), column: max(place?.column ?? 1, 1),
        key: key.map(Self.printable), problem: problem))
  }

  /// Reads a whole file.
  ///
  /// - Returns: what the closure makes of the top mapping.
  /// - Throws: ``ConfigurationErrors`` with everything that was reported.
  func read<Value>(
    _ text: String, _ body: (ConfigurationMapping) -> Value?
  ) throws(ConfigurationErrors) -> Value {
    guard let document = ConfigurationDocument(text: text, reader: self) else {
      throw ConfigurationErrors(errors)
    }
    let mapping = ConfigurationMapping(
      node: document.root, path: nil, document: document, reader: self)
    let value = mapping.flatMap { mapping in
      defer { mapping.finish() }
      return body(mapping)
    }
    guard let value, errors.isEmpty else { throw ConfigurationErrors(errors) }
    return value
  }

  /// Text of the file for a message: one line, of bounded length.
  static func printable(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(80).map { scalar -> Character in
      let isControl = scalar.properties.generalCategory == .control || scalar == "\""
      return isControl ? "?" : Character(scalar)
    }
    return String(shown) + (text.unicodeScalars.count > 80 ? "…" : "")
  }

  /// What a node is, for the end of an "expected …, found …".
  static func describe(_ node: Node) -> String {
    switch node {
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .alias: "an alias"
    case .scalar(let scalar):
      ConfigurationKind<String>.isNull(scalar) ? "nothing" : "\"\(printable(scalar.string))\""
    }
  }
}
