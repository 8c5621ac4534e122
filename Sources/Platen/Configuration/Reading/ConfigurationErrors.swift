/// One thing that is wrong in a configuration file, and where.
public struct ConfigurationError: Sendable, Hashable, CustomStringConvertible {
  /// The file as it was named.
  public let file: String
  /// The line, 1 or more; `nil` when the file could not be read at all.
  public let line: Int?
  /// The column in Unicode scalars, 1 or more; `nil` when the file could not be read at all.
  public let column: Int?
  /// The key with its sections, for example `camera.size`; `nil` when no key is concerned.
  public let key: String?
  /// What was expected and what was found.
  public let problem: String

  /// Makes an error.
  public init(file: String, line: Int?, column: Int?, key: String?, problem: String) {
    self.file = file
    self.line = line
    self.column = column
    self.key = key
    self.problem = problem
  }

  /// One line as compilers write it, for example
  /// `platen.yaml:7:9: "camera.size": expected a size such as 1920x1080, found "large"`.
  public var description: String {
    let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self)
    let object = key.map { "\"\($0)\": " } ?? ""
    return place.joined(separator: ":") + ": " + object + problem
  }
}

/// Everything that is wrong in a configuration file.
public struct ConfigurationErrors: Error, Sendable, Hashable, CustomStringConvertible {
  /// How many errors ``description`` spells out.
  private static let describedCount = 50

  /// The errors from the file's beginning to its end; at least one.
  public let errors: [ConfigurationError]

  /// Makes a list of errors in the order of their places.
  init(_ errors: [ConfigurationError]) {
    self.errors = errors.enumerated().sorted { first, second in
      let firstPlace = (first.element.line ?? 0, first.element.column ?? 0, first.offset)
      let secondPlace = (second.element.line ?? 0, second.element.column ?? 0, second.offset)
      return firstPlace < secondPlace
    }
    .map(\.element)
  }

  /// A line for each error; only their number beyond the first fifty.
  public var description: String {
    var lines = errors.prefix(Self.describedCount).map(\.description)
    if errors.count > Self.describedCount {
      lines.append("and \(errors.count - Self.describedCount) more errors")
    }
    return lines.joined(separator: "\n")
  }
}
