/// An error in a configuration file.
package struct ConfigurationIssue: Sendable, Hashable, CustomStringConvertible {
  /// The file's name as given.
  package let file: String
  /// The line, from 1.
  package let line: Int
  /// The column, from 1.
  package let column: Int
  /// The key with its sections, for example `camera.size`; empty for the file as a whole.
  package let key: String
  /// The problem, and the expected value.
  package let problem: String

  package init(file: String, line: Int, column: Int, key: String, problem: String) {
    self.file = file
    self.line = line
    self.column = column
    self.key = key
    self.problem = problem
  }

  /// The issue in the format of compilers: `file:line:column: "key": problem`.
  package var description: String {
    "\(file):\(line):\(column): " + (key.isEmpty ? "" : "\"\(key)\": ") + problem
  }
}

/// A place in a configuration file.
package struct ConfigurationPlace: Sendable, Hashable {
  /// The file's name as given.
  package let file: String
  /// The line, from 1.
  package let line: Int
  /// The column, from 1.
  package let column: Int
  /// The key with its sections, and the element of a list, for example `api.act.users[0]`.
  package let key: String

  /// Returns an issue at this place.
  package func issue(_ problem: String) -> ConfigurationIssue {
    ConfigurationIssue(file: file, line: line, column: column, key: key, problem: problem)
  }
}

/// All errors of a configuration file, none of which is used.
package struct ConfigurationErrors: Error, Hashable, CustomStringConvertible {
  /// The issues in the order of their lines; at least one.
  package let issues: [ConfigurationIssue]

  package init(issues: [ConfigurationIssue]) {
    self.issues = issues
  }

  /// The issues, one on each line.
  package var description: String {
    issues.map(\.description).joined(separator: "\n")
  }
}
