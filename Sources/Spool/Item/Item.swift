/// A picture to be stored.
public struct NewItem: Sendable {
  /// The encoded picture; not empty.
  public var bytes: [UInt8]
  /// The file's extension: 1 to 8 of `a-z 0-9`, neither `json` nor `part`.
  public var fileExtension: String
  /// What is known of it.
  public var metadata: ItemMetadata

  /// Makes an item from an encoded picture.
  public init(bytes: [UInt8], fileExtension: String = "jpg", metadata: ItemMetadata) {
    self.bytes = bytes
    self.fileExtension = fileExtension
    self.metadata = metadata
  }
}

/// A picture that is on stable storage: image, sidecar, directory entry and queue row.
public struct StoredItem: Sendable, Hashable {
  /// The spool's name for it.
  public var id: ItemID
  /// The image's path.
  public var path: String
  /// The image's length in bytes.
  public var byteCount: Int64
  /// The SHA-256 of the image in lower-case hexadecimal digits.
  public var sha256: String
  /// The name under which it will be delivered.
  public var remoteName: String
}

/// Where an item is on its way.
public enum ItemState: String, Sendable, Hashable, Codable {
  /// On stable storage, waiting.
  case stored
  /// Being delivered to at least one target now.
  case delivering
  /// Every target has acknowledged it; the files are gone, the record stays.
  case delivered
  /// Damaged or missing on this side; kept in `quarantine/`, not delivered.
  case quarantined
}

/// Why an item was taken out of the queue; an open set, spelled as in logs and in the API.
public struct QuarantineReason: RawRepresentable, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The reason's spelling, in lower camel case.
  public let rawValue: String

  /// Makes a reason from its spelling.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The image's length or SHA-256 is not what was stored.
  public static let damaged = QuarantineReason(rawValue: "damaged")
  /// The image is not there.
  public static let missing = QuarantineReason(rawValue: "missing")
  /// The medium does not give the image back.
  public static let unreadable = QuarantineReason(rawValue: "unreadable")

  /// The spelling.
  public var description: String { rawValue }
}

/// Everything that the index knows of one item.
public struct ItemRecord: Sendable, Hashable {
  /// The spool's name for it.
  public var id: ItemID
  /// Where it is on its way.
  public var state: ItemState
  /// Why it was quarantined.
  public var quarantineReason: QuarantineReason?
  /// The image's path while it is stored; the file of a delivered item is gone.
  public var path: String
  /// The image's length in bytes.
  public var byteCount: Int64
  /// The SHA-256 of the image in lower-case hexadecimal digits.
  public var sha256: String
  /// The name under which it is delivered.
  public var remoteName: String
  /// What is known of the picture.
  public var metadata: ItemMetadata
  /// How each delivery stands.
  public var deliveries: [DeliveryRecord]
}

/// How many items are in which state; every item is in exactly one.
public struct SpoolCounts: Sendable, Hashable {
  /// Waiting, with no delivery under way.
  public var stored: Int
  /// Being delivered now.
  public var delivering: Int
  /// Delivered to every target.
  public var delivered: Int
  /// Taken out of the queue.
  public var quarantined: Int
  /// The bytes of the items that wait or are being delivered.
  public var bytesWaiting: Int64
}
