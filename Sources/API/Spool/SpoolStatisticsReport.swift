/// The figures of the spool: the answer to `GET /v1/spool`.
package struct SpoolStatisticsReport: Sendable, Hashable, Codable {
  /// The number of pictures in a state, and their length.
  package struct StateTotal: Sendable, Hashable, Codable {
    /// The state of the pictures.
    package let state: Word<SpoolItemReport.State>
    /// The number of pictures.
    package let items: Int
    /// The length of the pictures in bytes.
    package let bytes: Int64

    package init(state: Word<SpoolItemReport.State>, items: Int, bytes: Int64) {
      self.state = state
      self.items = items
      self.bytes = bytes
    }
  }

  /// The number of deliveries of a target in each state.
  package struct TargetTotal: Sendable, Hashable, Codable {
    /// The target's name.
    package let target: String
    /// Whether the configuration still has the target.
    package let isConfigured: Bool
    /// The number of deliveries that wait.
    package let pending: Int
    /// The number of deliveries that are set aside until a person asks for them.
    package let parked: Int

    package init(target: String, isConfigured: Bool, pending: Int, parked: Int) {
      self.target = target
      self.isConfigured = isConfigured
      self.pending = pending
      self.parked = parked
    }
  }

  /// The spool's directory.
  package let directory: String
  /// The states that have pictures.
  package let states: [StateTotal]
  /// The targets.
  package let targets: [TargetTotal]
  /// The oldest picture that waits.
  package let oldestWaiting: String?
  /// The time that the oldest picture has waited, in seconds.
  ///
  /// `nil` when the picture is of an earlier boot or none waits.
  package let oldestWaitingSeconds: Double?
  /// The bytes that are free on the file system for the service.
  package let freeBytes: Int64
  /// The bytes that captures leave free.
  package let minimumFreeBytes: Int64
  /// Whether the reserve for a full disk is there.
  package let hasBallast: Bool
  /// The newest events of note, the newest first.
  package let audit: [AuditReport]

  package init(
    directory: String, states: [StateTotal], targets: [TargetTotal], oldestWaiting: String?,
    oldestWaitingSeconds: Double?, freeBytes: Int64, minimumFreeBytes: Int64, hasBallast: Bool,
    audit: [AuditReport]
  ) {
    self.directory = directory
    self.states = states
    self.targets = targets
    self.oldestWaiting = oldestWaiting
    self.oldestWaitingSeconds = finite(oldestWaitingSeconds)
    self.freeBytes = freeBytes
    self.minimumFreeBytes = minimumFreeBytes
    self.hasBallast = hasBallast
    self.audit = audit
  }
}

/// An event that a person may have to account for: an eviction, a deletion, a quarantine.
package struct AuditReport: Sendable, Hashable, Codable {
  /// The number of the event, ascending.
  package let number: Int64
  /// The time of the event, ISO 8601 in UTC.
  ///
  /// `nil` while the clock was never right in the boot of the event.
  package let time: String?
  /// The kind of event, for example `evicted`.
  package let event: String
  /// The picture or file of the event.
  package let object: String
  /// The particulars in words.
  package let detail: String?

  package init(number: Int64, time: String?, event: String, object: String, detail: String?) {
    self.number = number
    self.time = time
    self.event = event
    self.object = object
    self.detail = detail
  }
}
