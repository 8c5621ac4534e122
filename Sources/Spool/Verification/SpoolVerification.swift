/// What a check of every file and every row has found; see ``Spool/verify(repair:hash:)``.
public struct SpoolVerification: Sendable, Hashable {
  /// How many findings are listed; the rest is only counted.
  public static let findingLimit = 10_000

  /// Something that is not as it should be.
  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The item or the path.
    public var object: String
    /// What is wrong with it, a clause for people.
    public var problem: String
    /// What a repair does about it, a clause for people.
    public var repair: String
    /// Whether that has been done.
    public var isRepaired: Bool

    /// One sentence: the object quoted, the problem, and what happens.
    public var description: String {
      "\"\(object)\" \(problem); \(isRepaired ? "repaired" : "repair"): \(repair)"
    }
  }

  /// Rows of items in the queue or the quarantine that were compared with their files.
  public var rows = 0
  /// Files that were compared with their rows.
  public var files = 0
  /// Bytes of images that were read and hashed.
  public var hashedBytes: Int64 = 0
  /// What is wrong, the first ``findingLimit``.
  public var findings: [Finding] = []
  /// Findings beyond those that are listed.
  public var unlistedFindings = 0

  /// Whether everything is as it should be.
  public var isClean: Bool { findings.isEmpty && unlistedFindings == 0 }

  mutating func add(_ object: String, _ problem: String, repair: String, isRepaired: Bool) {
    guard findings.count < Self.findingLimit else { return unlistedFindings += 1 }
    findings.append(
      Finding(object: object, problem: problem, repair: repair, isRepaired: isRepaired))
  }
}

/// How far a check has come: rows of the queue and of the quarantine, then the files of both, then the
/// counters.
struct VerificationCursor {
  /// What is looked at next.
  enum Position: Equatable {
    /// Rows of the queue after this one.
    case rows(after: Int64)
    /// Rows of the quarantine after this one.
    case quarantined(after: Int64)
    /// The files of this shard and some after it.
    case shard(Int)
    /// The files of the quarantine.
    case quarantine
    /// The counters, as far as they have been compared.
    case counters
    case end
  }

  private(set) var position = Position.rows(after: 0)
  /// The files of the quarantine, as they were when its rows were begun with.
  var quarantinedNames: [ItemID: [String]]?

  /// Goes on after a slice of rows; without a last one there are no more.
  mutating func rowsDone(last: Int64?) {
    position = last.map { .rows(after: $0) } ?? .quarantined(after: 0)
  }

  /// Goes on after a slice of quarantined rows; without a last one there are no more.
  mutating func quarantinedDone(last: Int64?) {
    position = last.map { .quarantined(after: $0) } ?? .shard(0)
    if last == nil { quarantinedNames = nil }
  }

  /// Goes on before a shard; after the last one with the quarantine.
  mutating func shardsDone(before number: Int) {
    position = number < SpoolLayout.shards.count ? .shard(number) : .quarantine
  }

  /// Goes on with the counters.
  mutating func quarantineDone() { position = .counters }

  /// Comes to the end.
  mutating func countersDone() { position = .end }
}
