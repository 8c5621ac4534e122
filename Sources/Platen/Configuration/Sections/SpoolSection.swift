/// The section `spool`: the durable on-device queue.
///
/// | key | value | default |
/// |---|---|---|
/// | `directory` | an absolute path; made if its parent exists | required |
/// | `minimum_free` | space that captures leave free on the file system | `256 MiB` |
/// | `maximum_bytes` | the most that waiting and quarantined pictures may take, 64 MiB or more | no limit |
/// | `maximum_items` | the most pictures that may wait or be quarantined, 1 or more | no limit |
/// | `when_full` | `reject` refuses new pictures, `evict-oldest` deletes damaged and old ones without a receipt | `reject` |
/// | `history_items` | delivered pictures that are remembered, 0 to 10 million | 100000 |
public struct SpoolSection: Sendable, Hashable {
  /// The directory.
  public var directory: String
  /// Bytes that captures leave free.
  public var minimumFreeBytes: Int64 = 256 << 20
  /// The most that waiting and quarantined pictures may take, in bytes.
  public var maximumBytes: Int64?
  /// The most pictures that may wait or be quarantined.
  public var maximumItems: Int?
  /// What happens when there is no room.
  public var whenFull = WhenFull.reject
  /// How many delivered pictures are remembered.
  public var historyItems = 100_000

  /// What happens when there is no room for another picture.
  public enum WhenFull: String, Sendable, Hashable, CaseIterable {
    /// New pictures are refused, with the reason.
    case reject
    /// The oldest pictures that wait are deleted, each with an audited event.
    case evictOldest = "evict-oldest"
  }

  init?(_ section: ConfigurationMapping) {
    section.require("directory", "an absolute path")
    let directory = section.path("directory")
    let minimumFree = section.bytes("minimum_free", in: 0...(1 << 50))
    maximumBytes = section.bytes("maximum_bytes", in: (64 << 20)...(1 << 50))
    maximumItems = section.integer("maximum_items", in: 1...100_000_000)
    let whenFull = section.word("when_full", WhenFull.self)
    let historyItems = section.integer("history_items", in: 0...10_000_000)
    section.refuseUnknownKeys()
    guard let directory else { return nil }
    self.directory = directory
    minimumFreeBytes = minimumFree ?? minimumFreeBytes
    self.whenFull = whenFull ?? self.whenFull
    self.historyItems = historyItems ?? self.historyItems
  }
}
