/// The result of copying a picture out of the spool without the service.
///
/// The report is a line of `platend --export`.
package struct SpoolCopyReport: Sendable, Hashable, Codable {
  /// The result of the copy.
  package enum Outcome: String, Sendable, Hashable, Codable {
    /// The picture was copied, and has the SHA-256 that its sidecar names.
    case copied
    /// The picture was copied, and no sidecar names the SHA-256 that it should have.
    case unchecked
    /// The picture was copied, but its sidecar cannot be read or does not describe it.
    case doubtful
    /// The picture was there already.
    case present
    /// The picture could not be copied.
    case failed
  }

  /// The picture's file name, or the path of a directory that cannot be listed.
  package let picture: String
  /// The result of the copy.
  package let outcome: Outcome
  /// The length of the copy in bytes; 0 when there is none.
  package let bytes: Int64
  /// The cause of the failure, or the problem of the sidecar; `nil` when all is well.
  package let problem: String?

  package init(picture: String, outcome: Outcome, bytes: Int64, problem: String? = nil) {
    self.picture = picture
    self.outcome = outcome
    self.bytes = bytes
    self.problem = problem
  }
}

/// The counts of pictures copied without the service: the last line of `platend --export`.
package struct SpoolCopySummary: Sendable, Hashable, Codable {
  /// The number of copied pictures, including those that could not be compared.
  package var copied = 0
  /// The number of copied pictures without a sidecar.
  package var unchecked = 0
  /// The number of copied pictures whose sidecar cannot be read or does not describe them.
  package var doubtful = 0
  /// The number of pictures that were there already.
  package var present = 0
  /// The number of pictures that could not be copied.
  package var failed = 0
  /// The number of pictures with a problem.
  package var problems: Int { failed + doubtful }

  /// Makes a summary of no pictures.
  package init() {}

  /// Counts a picture.
  package mutating func count(_ outcome: SpoolCopyReport.Outcome) {
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
