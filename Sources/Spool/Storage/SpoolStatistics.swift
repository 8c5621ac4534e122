/// Figures of the whole spool, as ``Spool/stats()`` finds them.
public struct SpoolStatistics: Sendable, Hashable {
  /// The items of one state.
  public struct State: Sendable, Hashable {
    /// The state; what is being delivered is among ``ItemState/stored``.
    public var state: ItemState
    /// How many rows.
    public var items: Int
    /// The bytes of their images, whether they are still there or not.
    public var bytes: Int64
  }

  /// The deliveries to one target.
  public struct Target: Sendable, Hashable {
    /// The target.
    public var target: TargetID
    /// Whether the configuration names it; what waits for another is not delivered.
    public var isConfigured: Bool
    /// Deliveries that wait or are under way.
    public var pending: Int
    /// Of these, under way.
    public var claimed: Int
    /// Deliveries given up until a person asks for them again.
    public var parked: Int
    /// Deliveries that are done and whose rows are still there.
    public var done: Int
  }

  /// How many items are in which state.
  public var counts: SpoolCounts
  /// Every state, also those without items.
  public var states: [State]
  /// Every target that is configured or has deliveries, by name.
  public var targets: [Target]
  /// The oldest item that waits or is parked.
  public var oldestWaiting: ItemID?
  /// How long ago it was taken, in nanoseconds; `nil` when that was in another boot.
  public var oldestWaitingAgeNanoseconds: Int64?
  /// Whether the ballast file is there; without it the spool has less to set against a full disk.
  public var isBallastPresent: Bool
  /// Bytes that are free on the file system.
  public var freeBytes: Int64
  /// Files that can still be made; `nil` where the file system has no such limit.
  public var freeFiles: Int64?
  /// Rows of items that are gone.
  public var historyRows: Int
  /// Boots that are remembered.
  public var boots: Int
  /// The number of this boot.
  public var boot: Int64
  /// Whether the wall clock of this boot is known to have been right at some time.
  public var isClockSynchronised: Bool
}
