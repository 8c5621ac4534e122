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
package struct SpoolSection: Sendable, Hashable {
  /// The directory.
  package var directory: String
  /// The space that captures leave free, in bytes.
  package var minimumFreeBytes: Int64 = 256 << 20
  /// The maximum size of all waiting and quarantined pictures, in bytes.
  package var maximumBytes: Int64?
  /// The maximum number of waiting or quarantined pictures.
  package var maximumItems: Int?
  /// The reaction to a full spool.
  package var whenFull = WhenFull.reject
  /// The number of delivered pictures to remember.
  package var historyItems = 100_000

  /// The reactions to a full spool.
  package enum WhenFull: String, Sendable, Hashable, CaseIterable {
    /// New pictures are refused, with the reason.
    case reject
    /// The oldest waiting pictures are deleted, each with an audited event.
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
