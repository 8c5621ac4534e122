/// The findings about every file and every row: the answer to `POST /v1/spool/verify`.
package struct SpoolVerificationReport: Sendable, Hashable, Codable {
  /// A difference between the files and the rows.
  package struct Finding: Sendable, Hashable, Codable {
    /// The file or the picture.
    package let object: String
    /// The problem.
    package let problem: String
    /// The effect of a repair, made or possible.
    package let repair: String
    /// Whether the repair was made.
    package let isRepaired: Bool

    package init(object: String, problem: String, repair: String, isRepaired: Bool) {
      self.object = object
      self.problem = problem
      self.repair = repair
      self.isRepaired = isRepaired
    }
  }

  /// The number of compared rows.
  package let rows: Int
  /// The number of compared files.
  package let files: Int
  /// The number of hashed bytes.
  package let hashedBytes: Int64
  /// The findings that are listed.
  package let findings: [Finding]
  /// The number of findings that are not listed.
  package let unlisted: Int

  /// Whether no finding is left to repair.
  package var isInOrder: Bool { unlisted == 0 && findings.allSatisfy(\.isRepaired) }

  package init(
    rows: Int, files: Int, hashedBytes: Int64, findings: [Finding], unlisted: Int = 0
  ) {
    self.rows = rows
    self.files = files
    self.hashedBytes = hashedBytes
    self.findings = findings
    self.unlisted = unlisted
  }
}

/// The body of `POST /v1/spool/verify`.
package struct SpoolVerificationRequest: Sendable, Hashable, Codable {
  /// Whether to repair the findings; `false` by default.
  package let repair: Bool

  package init(repair: Bool) { self.repair = repair }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key, or `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.repair])
    repair = try container.decodeIfPresent(Bool.self, forKey: .repair) ?? false
  }
}

/// The number of pictures that wait again: the answer to `POST /v1/spool/retry`.
package struct SpoolRetryReport: Sendable, Hashable, Codable {
  /// The number of deliveries that were set aside and wait again.
  package let retried: Int

  package init(retried: Int) { self.retried = retried }
}
