/// What is in the spool, in figures: the answer to `GET /v1/spool`.
public struct SpoolStatisticsReport: Sendable, Hashable, Codable {
  /// How many pictures are in a state, and how long they are together.
  public struct StateTotal: Sendable, Hashable, Codable {
    /// The state, as ``SpoolItemReport/state`` spells it.
    public let state: String
    /// How many.
    public let items: Int
    /// Their bytes.
    public let bytes: Int64

    /// Makes a total.
    public init(state: String, items: Int, bytes: Int64) {
      self.state = state
      self.items = items
      self.bytes = bytes
    }
  }

  /// How many deliveries a target has in each state.
  public struct TargetTotal: Sendable, Hashable, Codable {
    /// The target's name.
    public let target: String
    /// Whether the configuration still has it.
    public let isConfigured: Bool
    /// How many wait.
    public let pending: Int
    /// How many are set aside until a person asks for them.
    public let parked: Int

    /// Makes a total.
    public init(target: String, isConfigured: Bool, pending: Int, parked: Int) {
      self.target = target
      self.isConfigured = isConfigured
      self.pending = pending
      self.parked = parked
    }
  }

  /// Where the spool is.
  public let directory: String
  /// The states that have pictures.
  public let states: [StateTotal]
  /// The targets.
  public let targets: [TargetTotal]
  /// The oldest picture that waits.
  public let oldestWaiting: String?
  /// How long it has waited, in seconds; `nil` when it is of an earlier boot or none waits.
  public let oldestWaitingSeconds: Double?
  /// Bytes that are free on the file system for the service.
  public let freeBytes: Int64
  /// Bytes that captures leave free.
  public let minimumFreeBytes: Int64
  /// Whether the reserve for a full disk is there.
  public let hasBallast: Bool
  /// The newest events of note, the newest first.
  public let audit: [AuditReport]

  /// Makes a report.
  public init(
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

/// Something that a person may have to answer for later: an eviction, a deletion, a quarantine.
public struct AuditReport: Sendable, Hashable, Codable {
  /// Its number, ascending.
  public let number: Int64
  /// When, ISO 8601 in UTC; `nil` while the clock was never right in that boot.
  public let time: String?
  /// What, for example `evicted`.
  public let event: String
  /// The picture or file that it is about.
  public let object: String
  /// More words.
  public let detail: String?

  /// Makes a report.
  public init(number: Int64, time: String?, event: String, object: String, detail: String?) {
    self.number = number
    self.time = time
    self.event = event
    self.object = object
    self.detail = detail
  }
}
