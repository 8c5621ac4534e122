/// Where an item is on its way.
public enum ItemState: String, Sendable, Hashable, Codable, CaseIterable {
  /// On stable storage, waiting for at least one target.
  case stored
  /// Being delivered to at least one target now.
  case delivering
  /// No target is waited for any more, and at least one delivery is parked; the files stay.
  case parked
  /// Every target has acknowledged it; the files are being removed.
  case delivered
  /// Every target has acknowledged it and the files are gone; the record stays for a while.
  ///
  /// This is written together with the next commit, so the newest delivered item is not purged yet.
  case purged
  /// Damaged or missing on this side; kept in `quarantine/`, not delivered.
  case quarantined
  /// Removed without a receipt: to make room, or by a person.
  case evicted

  /// Whether the spool keeps its picture on the disk, and compares it when it is verified.
  public var hasPicture: Bool {
    switch self {
    case .stored, .delivering, .parked, .quarantined: true
    case .delivered, .purged, .evicted: false
    }
  }
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
