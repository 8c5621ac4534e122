/// The name of a place where items are delivered to.
public struct TargetID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name, as in the configuration.
  public let rawValue: String

  /// Makes an ID from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The target of a rig that has only one.
  public static let primary = TargetID(rawValue: "primary")

  /// The name.
  public var description: String { rawValue }
}

/// An item to be delivered to a target, claimed by whoever asked for it.
///
/// The claim ends with ``Spool/complete(_:receipt:target:)``,
/// ``Spool/recordAttempt(_:failure:target:)``, ``Spool/release(_:target:)`` or the process.
public struct Delivery: Sendable, Hashable {
  /// The item.
  public var id: ItemID
  /// The target.
  public var target: TargetID
  /// The image's path.
  public var path: String
  /// The image's length in bytes.
  public var byteCount: Int64
  /// The SHA-256 of the image in lower-case hexadecimal digits.
  public var sha256: String
  /// The name to deliver it under; the same at every attempt.
  public var remoteName: String
  /// What is known of the picture.
  public var metadata: ItemMetadata
  /// Failed attempts so far.
  public var attempts: Int
}

/// Why an attempt to deliver failed.
public struct DeliveryFailure: Sendable, Hashable, Codable {
  /// The kind, spelled as in logs and in the API.
  public var code: String
  /// One sentence for people; cut at 1024 characters when it is kept.
  public var message: String
  /// The HTTP status, if there was an answer.
  public var httpStatus: Int?

  /// Makes a failure.
  public init(code: String, message: String, httpStatus: Int? = nil) {
    self.code = code
    self.message = message
    self.httpStatus = httpStatus
  }
}

/// The proof that a target has an item.
public struct Receipt: Sendable, Hashable, Codable {
  /// Where it is, without credentials.
  public var url: String
  /// The name it was delivered under.
  public var remoteName: String
  /// The SHA-256 that was sent or confirmed, in lower-case hexadecimal digits.
  public var sha256: String
  /// The HTTP status of the acknowledgement; `nil` for targets without HTTP.
  public var httpStatus: Int?
  /// Whether the target had the item already, from an attempt whose answer was lost.
  public var isDuplicate: Bool
  /// When it was acknowledged, nanoseconds since 1970 by the rig's clock.
  public var wallNanoseconds: Int64

  /// Makes a receipt.
  public init(
    url: String, remoteName: String, sha256: String, httpStatus: Int?,
    isDuplicate: Bool = false, wallNanoseconds: Int64
  ) {
    self.url = url
    self.remoteName = remoteName
    self.sha256 = sha256
    self.httpStatus = httpStatus
    self.isDuplicate = isDuplicate
    self.wallNanoseconds = wallNanoseconds
  }
}

/// How the delivery of an item to one target stands.
public struct DeliveryRecord: Sendable, Hashable {
  /// The target.
  public var target: TargetID
  /// Failed attempts so far.
  public var attempts: Int
  /// Why the last attempt failed.
  public var lastFailure: DeliveryFailure?
  /// The proof, once the target has the item.
  public var receipt: Receipt?
}

/// What the check before a delivery found.
public enum IntegrityResult: Sendable, Hashable {
  /// Length and SHA-256 are what was stored.
  case intact
  /// They are not, and the item has been taken out of the queue.
  case quarantined(QuarantineReason)
}

/// What happens in the spool.
///
/// Events are hints to look, not the truth: the newest 64 are kept for a slow reader.
public enum SpoolEvent: Sendable, Hashable {
  /// A picture is on stable storage.
  case stored(ItemID)
  /// Every target has the item.
  case delivered(ItemID)
  /// An item was taken out of the queue.
  case quarantined(ItemID, QuarantineReason)
  /// Stable storage failed; the service has to restart. Nothing follows it but deliveries' end.
  case failed(SpoolError)
}
