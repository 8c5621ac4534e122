/// The configuration file as it lies on the disk: the answer to `GET /v1/configuration`.
public struct ConfigurationReport: Sendable, Hashable, Codable {
  /// The file's path.
  public let path: String
  /// The SHA-256 of the file, in lower-case hexadecimal digits.
  public let hash: String
  /// The SHA-256 of what the service has read at its start; `nil` without a service.
  public let runningHash: String?
  /// Whether what runs is what is on the disk; `nil` without a service.
  public let isRunning: Bool?
  /// The file's text; what may be a secret is masked.
  public let text: String
  /// What is wrong in it, as `platend --check-config` says it; empty when it can be used.
  public let issues: [String]

  /// Makes a report.
  public init(
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

/// What is wrong in a text: the answer to `POST /v1/configuration/check`.
public struct ConfigurationCheckReport: Sendable, Hashable, Codable {
  /// What the text is called in ``issues``: it has no file here.
  public static let name = "text"

  /// What is wrong as compilers say it, `text:LINE:COLUMN: "KEY": PROBLEM`; empty when it can be
  /// used.
  public let issues: [String]

  /// Makes a report.
  public init(issues: [String]) { self.issues = issues }

  /// The same of a file: the issues name it.
  public func naming(_ file: String) -> ConfigurationCheckReport {
    let prefix = Self.name + ":"
    return ConfigurationCheckReport(
      issues: issues.map { $0.hasPrefix(prefix) ? file + ":" + $0.dropFirst(prefix.count) : $0 })
  }
}

/// An earlier text of the configuration file.
public struct ConfigurationHistoryEntry: Sendable, Hashable, Codable {
  /// Its number: the higher the newer; 0 for the last one with which the service has run well.
  public let number: Int
  /// The SHA-256 of the text, in lower-case hexadecimal digits.
  public let hash: String
  /// When it was put aside, ISO 8601 in UTC, by this machine's clock, which may be wrong.
  public let time: String?
  /// Its length in bytes.
  public let bytes: Int
  /// Why it is of no use; `nil` when it can be brought back.
  public let problem: String?

  /// Makes an entry.
  public init(number: Int, hash: String, time: String?, bytes: Int, problem: String? = nil) {
    self.number = number
    self.hash = hash
    self.time = time
    self.bytes = bytes
    self.problem = problem
  }
}

/// Earlier texts of the configuration file: the answer to `GET /v1/configuration/history`.
public struct ConfigurationHistory: Sendable, Hashable, Codable {
  /// The texts, the newest first; the last good one, number 0, comes last.
  public let entries: [ConfigurationHistoryEntry]

  /// Makes a history.
  public init(entries: [ConfigurationHistoryEntry]) { self.entries = entries }
}

/// An earlier text and how it differs: the answer to `GET /v1/configuration/history/{number}`.
public struct ConfigurationDifference: Sendable, Hashable, Codable {
  /// The earlier text.
  public let entry: ConfigurationHistoryEntry
  /// What a return to it would change, line by line: ` `, `-` or `+` and the line; what may be a
  /// secret is masked.
  public let lines: [String]

  /// Makes a difference.
  public init(entry: ConfigurationHistoryEntry, lines: [String]) {
    self.entry = entry
    self.lines = lines
  }
}

/// What a change has made of the file: the answer to `PATCH /v1/configuration` and to
/// `POST /v1/configuration/rollback`.
public struct ConfigurationChangeReport: Sendable, Hashable, Codable {
  /// The SHA-256 of the file as it is now.
  public let hash: String
  /// What was changed, as ``ConfigurationDifference/lines``; empty when nothing was.
  public let lines: [String]
  /// Whether the service has to be started anew before it holds.
  public let needsRestart: Bool
  /// When it holds, in words.
  public let note: String

  /// Makes a report.
  public init(hash: String, lines: [String], needsRestart: Bool) {
    self.hash = hash
    self.lines = lines
    self.needsRestart = needsRestart
    note =
      needsRestart
      ? "The file holds from the next start of the service: \"platenctl service restart\"."
      : "What is on the disk is what the service runs with."
  }
}
