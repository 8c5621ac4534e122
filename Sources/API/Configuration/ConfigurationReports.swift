/// The configuration file as it lies on the disk: the answer to `GET /v1/configuration`.
package struct ConfigurationReport: Sendable, Hashable, Codable {
  /// The file's path.
  package let path: String
  /// The SHA-256 of the file, in lower-case hexadecimal digits.
  package let hash: String
  /// The SHA-256 of the file that the service read at its start; `nil` without a service.
  package let runningHash: String?
  /// Whether the service runs with the file on the disk; `nil` without a service.
  package let isRunning: Bool?
  /// The file's text, with everything masked that may be a secret.
  package let text: String
  /// The problems of the file in the words of `platend --check-config`; empty when it is usable.
  package let issues: [String]

  package init(
    path: String, hash: String, runningHash: String?, text: String, issues: [String]
  ) {
    self.path = path
    self.hash = hash
    self.runningHash = runningHash
    isRunning = runningHash.map { $0 == hash }
    self.text = text
    self.issues = issues
  }
}

/// The problems of a text: the answer to `POST /v1/configuration/check`.
package struct ConfigurationCheckReport: Sendable, Hashable, Codable {
  /// The name of the text in ``issues``, as it has no file.
  package static let name = "text"

  /// The problems in the form of compilers, `text:LINE:COLUMN: "KEY": PROBLEM`.
  ///
  /// The list is empty when the text is usable.
  package let issues: [String]

  package init(issues: [String]) { self.issues = issues }

  /// Returns a copy whose issues name a file.
  package func naming(_ file: String) -> ConfigurationCheckReport {
    let prefix = Self.name + ":"
    return ConfigurationCheckReport(
      issues: issues.map { $0.hasPrefix(prefix) ? file + ":" + $0.dropFirst(prefix.count) : $0 })
  }
}

/// An earlier text of the configuration file.
package struct ConfigurationHistoryEntry: Sendable, Hashable, Codable {
  /// The text's number, higher for a newer text; 0 for the last one that the service ran well with.
  package let number: Int
  /// The SHA-256 of the text, in lower-case hexadecimal digits.
  package let hash: String
  /// The time when the text was put aside, ISO 8601 in UTC.
  ///
  /// The time comes from this machine's clock, which may be wrong.
  package let time: String?
  /// The text's length in bytes.
  package let bytes: Int
  /// The reason why the text is unusable; `nil` when it can be brought back.
  package let problem: String?

  package init(number: Int, hash: String, time: String?, bytes: Int, problem: String? = nil) {
    self.number = number
    self.hash = hash
    self.time = time
    self.bytes = bytes
    self.problem = problem
  }
}

/// Earlier texts of the configuration file: the answer to `GET /v1/configuration/history`.
package struct ConfigurationHistory: Sendable, Hashable, Codable {
  /// The texts, the newest first; the last good one, number 0, comes last.
  package let entries: [ConfigurationHistoryEntry]

  package init(entries: [ConfigurationHistoryEntry]) { self.entries = entries }
}

/// An earlier text and its difference: the answer to `GET /v1/configuration/history/{number}`.
package struct ConfigurationDifference: Sendable, Hashable, Codable {
  /// The earlier text.
  package let entry: ConfigurationHistoryEntry
  /// The changes that a return to the text would make, line by line.
  ///
  /// Each line follows a ` `, `-` or `+`. Everything that may be a secret is masked.
  package let lines: [String]

  package init(entry: ConfigurationHistoryEntry, lines: [String]) {
    self.entry = entry
    self.lines = lines
  }
}

/// The effect of a change on the file.
///
/// The report answers `PATCH /v1/configuration` and `POST /v1/configuration/rollback`.
package struct ConfigurationChangeReport: Sendable, Hashable, Codable {
  /// The SHA-256 of the file as it is now.
  package let hash: String
  /// The changed lines, as in ``ConfigurationDifference/lines``; empty without a change.
  package let lines: [String]
  /// Whether the service must restart before the file takes effect.
  package let needsRestart: Bool
  /// A sentence that says when the file takes effect.
  package let note: String

  package init(hash: String, lines: [String], needsRestart: Bool) {
    self.hash = hash
    self.lines = lines
    self.needsRestart = needsRestart
    note =
      needsRestart
      ? "The file holds from the next start of the service: \"platenctl service restart\"."
      : "What is on the disk is what the service runs with."
  }
}
