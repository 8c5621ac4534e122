/// The figures of the whole spool, as ``Spool/stats()`` finds them.
package struct SpoolStatistics: Sendable, Hashable {
  /// The items of one state.
  package struct State: Sendable, Hashable {
    /// The state; items that are being delivered count as ``ItemState/stored``.
    package var state: ItemState
    /// The number of rows.
    package var items: Int
    /// The bytes of the items' images, also of removed ones.
    package var bytes: Int64
  }

  /// The deliveries to one target.
  package struct Target: Sendable, Hashable {
    /// The target.
    package var target: TargetID
    /// Whether the configuration names the target; items for other targets are not delivered.
    package var isConfigured: Bool
    /// The number of deliveries that wait or are under way.
    package var pending: Int
    /// The number of pending deliveries that are under way.
    package var claimed: Int
    /// The number of deliveries given up until a person asks for a retry.
    package var parked: Int
    /// The number of done deliveries whose rows are still there.
    package var done: Int
  }

  /// The numbers of items in each state.
  package var counts: SpoolCounts
  /// The figures of every state, also of states without items.
  package var states: [State]
  /// The figures of every target that is configured or has deliveries, by name.
  package var targets: [Target]
  /// The oldest item that waits or is parked.
  package var oldestWaiting: ItemID?
  /// The age of the oldest waiting item, in nanoseconds; `nil` when it was taken in another boot.
  package var oldestWaitingAgeNanoseconds: Int64?
  /// Whether the ballast file exists; without it the spool has less reserve against a full disk.
  package var isBallastPresent: Bool
  /// The free bytes on the file system.
  package var freeBytes: Int64
  /// The number of files that can still be made; `nil` where the file system has no such limit.
  package var freeFiles: Int64?
  /// The number of rows of removed items.
  package var historyRows: Int
  /// The number of remembered boots.
  package var boots: Int
  /// The number of this boot.
  package var boot: Int64
  /// Whether the wall clock of this boot is known to have been right at some time.
  package var isClockSynchronized: Bool
}
