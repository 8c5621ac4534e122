/// Presses, the newest first: the answer to `GET /v1/presses`.
public struct PressList: Sendable, Hashable, Codable {
  /// The presses, the newest first.
  public let presses: [PressReport]
  /// What `before` has to be for the next page; `nil` when there is none.
  public let next: Int64?

  /// Makes a list.
  public init(presses: [PressReport], next: Int64? = nil) {
    self.presses = presses
    self.next = next
  }
}

/// How many presses ended how: the answer to `GET /v1/presses/counts`.
public struct PressCountsReport: Sendable, Hashable, Codable {
  /// The presses of one outcome and reason.
  public struct Count: Sendable, Hashable, Codable {
    /// The outcome.
    public let outcome: PressReport.Outcome
    /// The reason of a refusal; `nil` for the others.
    public let reason: String?
    /// How many, since the ledger was begun.
    public let presses: Int
    /// Of these, how many are still in the ledger.
    public let kept: Int

    /// Makes a count.
    public init(outcome: PressReport.Outcome, reason: String?, presses: Int, kept: Int) {
      self.outcome = outcome
      self.reason = reason
      self.presses = presses
      self.kept = kept
    }
  }

  /// By outcome and reason, the most frequent first.
  public let counts: [Count]
  /// Presses that could not be entered, because the disk kept the ledger waiting for too long.
  public let lostEntries: Int
  /// Edges that the kernel counted and nobody got to see.
  public let lostEdges: Int
  /// How many finished presses the ledger holds at most.
  public let limit: Int

  /// Makes a report.
  public init(counts: [Count], lostEntries: Int, lostEdges: Int, limit: Int) {
    self.counts = counts
    self.lostEntries = lostEntries
    self.lostEdges = lostEdges
    self.limit = limit
  }
}

/// Gaps in the kernel's sequence numbers of buttons: the answer to `GET /v1/presses/lost-edges`.
public struct LostEdgesList: Sendable, Hashable, Codable {
  /// One gap, or several of one button within a moment.
  public struct Gap: Sendable, Hashable, Codable {
    /// The button's name.
    public let button: String
    /// How many edges are missing.
    public let edges: Int64
    /// When it was noticed, ISO 8601 in UTC with milliseconds, as well as it is known now.
    public let time: String?
    /// The kernel's ID of the boot in which it was noticed.
    public let bootID: String?
    /// The same instant on that boot's `CLOCK_MONOTONIC`, in nanoseconds.
    public let monotonicNanoseconds: Int64?

    /// Makes a note of a gap.
    public init(
      button: String, edges: Int64, time: String?, bootID: String?, monotonicNanoseconds: Int64?
    ) {
      self.button = button
      self.edges = edges
      self.time = time
      self.bootID = bootID
      self.monotonicNanoseconds = monotonicNanoseconds
    }
  }

  /// The newest, the newest first.
  public let lostEdges: [Gap]

  /// Makes a list.
  public init(lostEdges: [Gap]) {
    self.lostEdges = lostEdges
  }
}
