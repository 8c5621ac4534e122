/// One thing that is wrong in a configuration file.
public struct ConfigurationIssue: Sendable, Hashable, CustomStringConvertible {
  /// The file as it was named.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int
  /// The key with its sections, for example `camera.size`; empty for the file as a whole.
  public let key: String
  /// What is wrong, and what was expected.
  public let problem: String

  /// The issue as compilers print theirs: `file:line:column: "key": problem`.
  public var description: String {
    "\(file):\(line):\(column): " + (key.isEmpty ? "" : "\"\(key)\": ") + problem
  }
}

/// A place in a configuration file.
public struct ConfigurationPlace: Sendable, Hashable {
  /// The file as it was named.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int
  /// The key with its sections, and the element of a list, for example `api.act.users[0]`.
  public let key: String

  /// What is wrong here.
  func issue(_ problem: String) -> ConfigurationIssue {
    ConfigurationIssue(file: file, line: line, column: column, key: key, problem: problem)
  }
}

/// All that is wrong in a configuration file; nothing of the file is used.
public struct ConfigurationErrors: Error, Hashable, CustomStringConvertible {
  /// The issues in the order of their lines; at least one.
  public let issues: [ConfigurationIssue]

  /// The issues, a line each.
  public var description: String {
    issues.map(\.description).joined(separator: "\n")
  }
}
