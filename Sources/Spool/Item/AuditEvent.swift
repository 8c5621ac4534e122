/// An event of the queue that a person may ask about later.
///
/// The database keeps the newest 1000 events. A lost database loses them too.
package struct AuditEvent: Sendable, Hashable {
  /// The kind of an event; an open set, spelled as in logs and in the API.
  package struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The kind's spelling, in lower camel case.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// A picture was removed to make room for a new one.
    package static let evicted = Kind(rawValue: "evicted")
    /// A person removed a picture.
    package static let deleted = Kind(rawValue: "deleted")
    /// A picture was taken out of the queue.
    package static let quarantined = Kind(rawValue: "quarantined")
    /// The database was rebuilt from the files.
    package static let rebuilt = Kind(rawValue: "rebuilt")
    /// A delivery was given up until a person asks for a retry.
    package static let parked = Kind(rawValue: "parked")
    /// Parked deliveries wait again.
    package static let retried = Kind(rawValue: "retried")
    /// A receipt's result was too long to keep.
    package static let resultLeftOut = Kind(rawValue: "resultLeftOut")
    /// A proxy was kept as the final picture.
    package static let proxyKept = Kind(rawValue: "proxyKept")

    /// The spelling.
    package var description: String { rawValue }
  }

  /// The number in the order of all events of this database, 1 or more.
  package var number: Int64
  /// The event's kind.
  package var kind: Kind
  /// The item concerned.
  package var item: ItemID?
  /// The target concerned.
  package var target: TargetID?
  /// The details, a clause for people.
  package var detail: String?
  /// The number of the boot in which the event happened.
  package var boot: Int64
  /// The time on `CLOCK_MONOTONIC` of that boot, in nanoseconds.
  package var monotonicNanoseconds: Int64
  /// The same instant in nanoseconds since 1970; `nil` if the clock was never right in that boot.
  package var wallNanoseconds: Int64?
}

/// The reason why a picture without a receipt is gone; an open set, spelled as in logs and the API.
package struct EvictionReason: RawRepresentable, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The reason's spelling, in lower camel case.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// The picture made room for a newer one; see ``SpoolConfiguration/WhenFull/evictOldest``.
  package static let noRoom = EvictionReason(rawValue: "noRoom")
  /// A person removed the picture.
  package static let deleted = EvictionReason(rawValue: "deleted")

  /// The spelling.
  package var description: String { rawValue }
}
