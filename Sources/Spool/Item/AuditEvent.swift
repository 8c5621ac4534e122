/// Something that happened to the queue and that a person may ask about later.
///
/// The newest 1000 are kept, in the database; a database that is lost takes them along.
public struct AuditEvent: Sendable, Hashable {
  /// What happened; an open set, spelled as in logs and in the API.
  public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The kind's spelling, in lower camel case.
    public let rawValue: String

    /// Makes a kind from its spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A picture was removed to make room for a new one.
    public static let evicted = Kind(rawValue: "evicted")
    /// A person has removed a picture.
    public static let deleted = Kind(rawValue: "deleted")
    /// A picture was taken out of the queue.
    public static let quarantined = Kind(rawValue: "quarantined")
    /// The database was made anew from the files.
    public static let rebuilt = Kind(rawValue: "rebuilt")
    /// A delivery was given up until a person asks for it again.
    public static let parked = Kind(rawValue: "parked")
    /// Parked deliveries wait again.
    public static let retried = Kind(rawValue: "retried")
    /// A receipt's result was longer than is kept.
    public static let resultLeftOut = Kind(rawValue: "resultLeftOut")

    /// The spelling.
    public var description: String { rawValue }
  }

  /// The number in the order of all events of this database, 1 or more.
  public var number: Int64
  /// What happened.
  public var kind: Kind
  /// The item it is about.
  public var item: ItemID?
  /// The target it is about.
  public var target: TargetID?
  /// More of it, a clause for people.
  public var detail: String?
  /// The number of the boot in which it happened.
  public var boot: Int64
  /// When, on `CLOCK_MONOTONIC` of that boot, in nanoseconds.
  public var monotonicNanoseconds: Int64
  /// The same instant in nanoseconds since 1970; `nil` while the clock was never right in that boot.
  public var wallNanoseconds: Int64?
}

/// Why a picture without a receipt is gone; an open set, spelled as in logs and in the API.
public struct EvictionReason: RawRepresentable, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The reason's spelling, in lower camel case.
  public let rawValue: String

  /// Makes a reason from its spelling.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It made room for a newer one, as ``SpoolConfiguration/WhenFull/evictOldest`` asks.
  public static let noRoom = EvictionReason(rawValue: "noRoom")
  /// A person has removed it.
  public static let deleted = EvictionReason(rawValue: "deleted")

  /// The spelling.
  public var description: String { rawValue }
}
