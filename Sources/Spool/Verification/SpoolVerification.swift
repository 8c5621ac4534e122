/// The result of a check of every file and every row; see ``Spool/verify(repair:hash:progress:)``.
package struct SpoolVerification: Sendable, Hashable {
  /// The number of findings that are listed; the rest is only counted.
  package static let findingLimit = 10_000

  /// A fault of the spool.
  package struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The item or the path.
    package var object: String
    /// The problem, a clause for people.
    package var problem: String
    /// The repair, a clause for people.
    package var repair: String
    /// Whether the repair has been done.
    package var isRepaired: Bool

    /// The finding in one sentence: the quoted object, the problem and the repair.
    package var description: String {
      "\"\(object)\" \(problem); \(isRepaired ? "repaired" : "repair"): \(repair)"
    }
  }

  /// The number of rows in the queue or the quarantine that were compared with their files.
  package var rows = 0
  /// The number of files that were compared with their rows.
  package var files = 0
  /// The bytes of images that were read and hashed.
  package var hashedBytes: Int64 = 0
  /// The first ``findingLimit`` findings.
  package var findings: [Finding] = []
  /// The number of findings beyond the listed ones.
  package var unlistedFindings = 0

  /// Whether nothing was found.
  package var isClean: Bool { findings.isEmpty && unlistedFindings == 0 }

  mutating func add(_ object: String, _ problem: String, repair: String, isRepaired: Bool) {
    guard findings.count < Self.findingLimit else { return unlistedFindings += 1 }
    findings.append(
      Finding(object: object, problem: problem, repair: repair, isRepaired: isRepaired))
  }
}

/// The progress of a check.
///
/// The check compares rows of the queue and of the quarantine, then the files of both, then the
/// counters.
struct VerificationCursor {
  /// The next part to compare.
  enum Position: Equatable {
    /// The rows of the queue after this one.
    case rows(after: Int64)
    /// The rows of the quarantine after this one.
    case quarantined(after: Int64)
    /// The files of this shard and of some shards after it.
    case shard(Int)
    /// The files of the quarantine.
    case quarantine
    /// The counters, as far as they have been compared.
    case counters
    case end
  }

  private(set) var position = Position.rows(after: 0)
  /// The files of the quarantine, as they were before the first of its rows.
  var quarantinedNames: [ItemID: [String]]?
  /// The rows of the queue whose files are too long to be hashed in a slice.
  var long: [ItemRow] = []
  /// The rows of the quarantine with such files, and the paths of these files.
  var longQuarantined: [(row: ItemRow, paths: [String])] = []

  /// Takes the rows whose files are hashed between two slices.
  mutating func takeLong() -> [ItemRow] {
    defer { long = [] }
    return long
  }

  /// Takes the quarantined rows whose files are hashed between two slices.
  mutating func takeLongQuarantined() -> [(row: ItemRow, paths: [String])] {
    defer { longQuarantined = [] }
    return longQuarantined
  }

  /// Goes on after a slice of rows; without a last row the rows are done.
  mutating func rowsDone(last: Int64?) {
    position = last.map { .rows(after: $0) } ?? .quarantined(after: 0)
  }

  /// Goes on after a slice of quarantined rows; without a last row the rows are done.
  mutating func quarantinedDone(last: Int64?) {
    position = last.map { .quarantined(after: $0) } ?? .shard(0)
    if last == nil { quarantinedNames = nil }
  }

  /// Goes on with a shard; after the last shard, with the quarantine.
  mutating func shardsDone(before number: Int) {
    position = number < SpoolLayout.shards.count ? .shard(number) : .quarantine
  }

  /// Goes on with the counters.
  mutating func quarantineDone() { position = .counters }

  /// Comes to the end.
  mutating func countersDone() { position = .end }
}
