/// Presses, the newest first: the answer to `GET /v1/presses`.
package struct PressList: Sendable, Hashable, Codable {
  /// The presses, the newest first.
  package let presses: [PressReport]
  /// The value of `before` for the next page; `nil` when there is none.
  package let next: Int64?

  package init(presses: [PressReport], next: Int64? = nil) {
    self.presses = presses
    self.next = next
  }
}

/// The number of presses with each outcome: the answer to `GET /v1/presses/counts`.
package struct PressCountsReport: Sendable, Hashable, Codable {
  /// The presses of one outcome and reason.
  package struct Count: Sendable, Hashable, Codable {
    /// The outcome.
    package let outcome: PressReport.Outcome
    /// The reason of a refusal; `nil` for other outcomes.
    package let reason: String?
    /// The number of presses since the ledger was begun.
    package let presses: Int
    /// The number of these presses that are still in the ledger.
    package let kept: Int

    package init(outcome: PressReport.Outcome, reason: String?, presses: Int, kept: Int) {
      self.outcome = outcome
      self.reason = reason
      self.presses = presses
      self.kept = kept
    }
  }

  /// The counts by outcome and reason, the most frequent first.
  package let counts: [Count]
  /// The number of presses not entered, because the disk kept the ledger waiting for too long.
  package let lostEntries: Int
  /// The number of edges that the kernel counted and the service never saw.
  package let lostEdges: Int
  /// The most finished presses that the ledger holds.
  package let limit: Int

  package init(counts: [Count], lostEntries: Int, lostEdges: Int, limit: Int) {
    self.counts = counts
    self.lostEntries = lostEntries
    self.lostEdges = lostEdges
    self.limit = limit
  }
}

/// Gaps in the kernel's sequence numbers of buttons: the answer to `GET /v1/presses/lost-edges`.
package struct LostEdgesList: Sendable, Hashable, Codable {
  /// A gap, or several gaps of one button within a moment.
  package struct Gap: Sendable, Hashable, Codable {
    /// The button's name.
    package let button: String
    /// The number of missing edges.
    package let edges: Int64
    /// The best known time of the discovery, ISO 8601 in UTC with milliseconds.
    package let time: String?
    /// The kernel's ID of the boot of the discovery.
    package let bootID: String?
    /// The time of the discovery on its boot's `CLOCK_MONOTONIC`, in nanoseconds.
    package let monotonicNanoseconds: Int64?

    package init(
      button: String, edges: Int64, time: String?, bootID: String?, monotonicNanoseconds: Int64?
    ) {
      self.button = button
      self.edges = edges
      self.time = time
      self.bootID = bootID
      self.monotonicNanoseconds = monotonicNanoseconds
    }
  }

  /// The newest gaps, the newest first.
  package let lostEdges: [Gap]

  package init(lostEdges: [Gap]) {
    self.lostEdges = lostEdges
  }
}
