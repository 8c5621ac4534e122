/// The name of a place where items are delivered to.
public struct TargetID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name, as in the configuration.
  public let rawValue: String

  /// Makes an ID from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The target of a rig that has only one.
  public static let primary = TargetID(rawValue: "primary")
  /// The place of a rig that has no target yet; nothing is delivered to it.
  ///
  /// The next start with other targets has its items wait for those.
  public static let unassigned = TargetID(rawValue: "unassigned")

  /// The name.
  public var description: String { rawValue }
}

/// An item to be delivered to a target, claimed by whoever asked for it.
///
/// The claim ends with ``Spool/complete(_:receipt:target:)``,
/// ``Spool/recordAttempt(_:failure:target:isItemFault:)``, ``Spool/park(_:failure:target:)``,
/// ``Spool/release(_:target:)`` or the process.
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
  /// What is known of the picture, as it was when it was stored.
  public var metadata: ItemMetadata
  /// When the picture was taken, as well as it is known by now.
  ///
  /// Once the clock of the picture's boot has been synchronised, the wall time is exact, also for
  /// pictures that were taken before; see ``Spool/noteSynchronised(wallMinusMonotonicNanoseconds:source:)``.
  public var captured: CaptureTime
  /// Failed attempts so far.
  public var attempts: Int
  /// Failed attempts that were the item's own fault, since the last retry by a person.
  public var itemFailures: Int
  /// What ``Spool/keepResumeState(_:of:target:)`` has kept.
  public var resumeState: String?
}

/// Where the delivery of an item to one target is on its way.
public enum DeliveryState: String, Sendable, Hashable, Codable {
  /// It waits, or is under way.
  case pending
  /// It was given up until a person asks for it again.
  case parked
  /// The target has the item.
  case done
  /// The item was damaged or missing before it could be delivered.
  case quarantined
  /// The item was removed before it was delivered.
  case evicted
}

/// A pause of a target that outlives the process; see ``Spool/keepPause(_:target:)``.
public struct KeptPause: Sendable, Hashable {
  /// How long it lasts from now on, in nanoseconds, more than 0.
  public var remainingNanoseconds: Int64
  /// Why the target pauses.
  public var failure: DeliveryFailure

  /// Makes a pause.
  public init(remainingNanoseconds: Int64, failure: DeliveryFailure) {
    self.remainingNanoseconds = remainingNanoseconds
    self.failure = failure
  }
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
  /// Whether the target had the item already: from an attempt whose answer was lost, or as an
  /// earlier item with the same content, whose receipt this is a copy of.
  public var isDuplicate: Bool
  /// When it was acknowledged, nanoseconds since 1970 by the rig's clock.
  public var wallNanoseconds: Int64
  /// What the target made of the item, as JSON, for example of a processing endpoint.
  ///
  /// More than 65,536 bytes of UTF-8 are not kept: the receipt is, without the result, and an
  /// ``AuditEvent`` says so.
  public var result: String?

  /// Makes a receipt.
  public init(
    url: String, remoteName: String, sha256: String, httpStatus: Int?,
    isDuplicate: Bool = false, wallNanoseconds: Int64, result: String? = nil
  ) {
    self.url = url
    self.remoteName = remoteName
    self.sha256 = sha256
    self.httpStatus = httpStatus
    self.isDuplicate = isDuplicate
    self.wallNanoseconds = wallNanoseconds
    self.result = result
  }
}

/// How the delivery of an item to one target stands.
public struct DeliveryRecord: Sendable, Hashable {
  /// The target.
  public var target: TargetID
  /// Where it is on its way.
  public var state: DeliveryState
  /// Failed attempts so far.
  public var attempts: Int
  /// Failed attempts that were the item's own fault, since the last retry by a person.
  public var itemFailures: Int
  /// Why the last attempt failed; of a parked delivery, why it was parked.
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
