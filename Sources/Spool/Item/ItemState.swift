/// The state of an item on its way to its targets.
package enum ItemState: String, Sendable, Hashable, Codable, CaseIterable {
  /// The item is on stable storage and waits for at least one target.
  case stored
  /// The item is being delivered to at least one target.
  case delivering
  /// No delivery waits any more, and at least one is parked; the files stay.
  case parked
  /// Every target has acknowledged the item; the files are being removed.
  case delivered
  /// Every target has acknowledged the item and the files are gone; the record stays for a while.
  ///
  /// The next commit writes this state, so the newest delivered item is not purged yet.
  case purged
  /// The item is damaged or missing on the rig; it is kept in `quarantine/` and not delivered.
  case quarantined
  /// The item was removed without a receipt: to make room, or by a person.
  case evicted

  /// Whether the spool keeps the item's picture on the disk and compares it in a verification.
  package var hasPicture: Bool {
    switch self {
    case .stored, .delivering, .parked, .quarantined: true
    case .delivered, .purged, .evicted: false
    }
  }
}

/// The reason why an item was taken out of the queue; an open set, spelled as in logs and the API.
package struct QuarantineReason: RawRepresentable, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The reason's spelling, in lower camel case.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// The image's length or SHA-256 differs from the stored one.
  package static let damaged = QuarantineReason(rawValue: "damaged")
  /// The image is missing.
  package static let missing = QuarantineReason(rawValue: "missing")
  /// The medium cannot read the image.
  package static let unreadable = QuarantineReason(rawValue: "unreadable")

  /// The spelling.
  package var description: String { rawValue }
}
