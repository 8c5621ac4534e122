/// What became of a picture that was copied out of the spool without the service: a line of
/// `platend --export`.
public struct SpoolCopyReport: Sendable, Hashable, Codable {
  /// What became of it.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// It was copied, and has the SHA-256 that its sidecar says.
    case copied
    /// It was copied, and there is no sidecar that says what its SHA-256 should be.
    case unchecked
    /// It was copied, but its sidecar cannot be read or does not describe it.
    case doubtful
    /// It was there already.
    case present
    /// It could not be copied.
    case failed
  }

  /// The picture's file name, or the path of a directory that cannot be listed.
  public let picture: String
  /// What became of it.
  public let outcome: Outcome
  /// How many bytes the copy has; 0 when there is none.
  public let bytes: Int64
  /// Why it could not be copied, or what is wrong with its sidecar; `nil` when all is well.
  public let problem: String?

  /// Makes a report.
  public init(picture: String, outcome: Outcome, bytes: Int64, problem: String? = nil) {
    self.picture = picture
    self.outcome = outcome
    self.bytes = bytes
    self.problem = problem
  }
}

/// How many pictures were copied without the service: the last line of `platend --export`.
public struct SpoolCopySummary: Sendable, Hashable, Codable {
  /// How many were copied, also those that could not be compared.
  public var copied = 0
  /// How many of them have no sidecar.
  public var unchecked = 0
  /// How many of them have one that cannot be read or does not describe them.
  public var doubtful = 0
  /// How many were there already.
  public var present = 0
  /// How many could not be copied.
  public var failed = 0
  /// How many something is wrong with.
  public var problems: Int { failed + doubtful }

  /// Begins with none.
  public init() {}

  /// Counts a picture.
  public mutating func count(_ outcome: SpoolCopyReport.Outcome) {
    switch outcome {
    case .copied: copied += 1
    case .unchecked:
      copied += 1
      unchecked += 1
    case .doubtful:
      copied += 1
      doubtful += 1
    case .present: present += 1
    case .failed: failed += 1
    }
  }
}
