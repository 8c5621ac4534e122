/// What a look at every file and every row has found: the answer to `POST /v1/spool/verify`.
public struct SpoolVerificationReport: Sendable, Hashable, Codable {
  /// Something that is not as it should be.
  public struct Finding: Sendable, Hashable, Codable {
    /// The file or picture.
    public let object: String
    /// What is wrong.
    public let problem: String
    /// What a repair would do, or has done.
    public let repair: String
    /// Whether it has been done.
    public let isRepaired: Bool

    /// Makes a finding.
    public init(object: String, problem: String, repair: String, isRepaired: Bool) {
      self.object = object
      self.problem = problem
      self.repair = repair
      self.isRepaired = isRepaired
    }
  }

  /// How many rows were compared.
  public let rows: Int
  /// How many files were compared.
  public let files: Int
  /// How many bytes were hashed.
  public let hashedBytes: Int64
  /// What was found.
  public let findings: [Finding]
  /// How many findings there are beyond those.
  public let unlisted: Int

  /// Whether nothing is left that is not as it should be.
  public var isInOrder: Bool { unlisted == 0 && findings.allSatisfy(\.isRepaired) }

  /// Makes a report.
  public init(
    rows: Int, files: Int, hashedBytes: Int64, findings: [Finding], unlisted: Int = 0
  ) {
    self.rows = rows
    self.files = files
    self.hashedBytes = hashedBytes
    self.findings = findings
    self.unlisted = unlisted
  }
}

/// What `POST /v1/spool/verify` takes.
public struct SpoolVerificationRequest: Sendable, Hashable, Codable {
  /// Whether to repair what is found; `false` when it is left out.
  public let repair: Bool

  /// Makes a request.
  public init(repair: Bool) { self.repair = repair }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``APIError`` for an unknown key, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: ["repair"])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.refuseNulls()
    repair = try container.decodeIfPresent(Bool.self, forKey: .repair) ?? false
  }
}

/// How many pictures wait again: the answer to `POST /v1/spool/retry`.
public struct SpoolRetryReport: Sendable, Hashable, Codable {
  /// How many deliveries were set aside and wait again.
  public let retried: Int

  /// Makes a report.
  public init(retried: Int) { self.retried = retried }
}
