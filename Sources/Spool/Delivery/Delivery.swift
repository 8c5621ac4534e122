/// The name of a target that items are delivered to.
package struct TargetID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name, as in the configuration.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// The target of a rig that has only one.
  package static let primary = TargetID(rawValue: "primary")
  /// The target of a rig that has no configured target yet; nothing is delivered to it.
  ///
  /// At the next start with other targets, its items wait for these targets.
  package static let unassigned = TargetID(rawValue: "unassigned")

  /// The name.
  package var description: String { rawValue }
}

/// An item to deliver to a target, claimed by the caller that asked for it.
///
/// The claim ends with ``Spool/complete(_:receipt:target:)``,
/// ``Spool/recordAttempt(_:failure:target:isItemFault:)``, ``Spool/park(_:failure:target:)``,
/// ``Spool/release(_:target:)`` or the end of the process.
package struct Delivery: Sendable, Hashable {
  /// The item.
  package var id: ItemID
  /// The target.
  package var target: TargetID
  /// The image's path.
  package var path: String
  /// The image's length in bytes.
  package var byteCount: Int64
  /// The SHA-256 of the image in lower-case hexadecimal digits.
  package var sha256: String
  /// The item's name at the target; every attempt uses the same name.
  package var remoteName: String
  /// The picture's metadata, as they were when it was stored.
  package var metadata: ItemMetadata
  /// The time at which the picture was taken, as far as it is known now.
  ///
  /// Once the clock of the picture's boot has been synchronized, the wall time is exact.
  /// The correction also covers pictures that were taken before; see
  /// ``Spool/noteSynchronized(wallMinusMonotonicNanoseconds:source:)``.
  package var captured: CaptureTime
  /// Failed attempts so far.
  package var attempts: Int
  /// Failed attempts that were the item's own fault, since the last retry by a person.
  package var itemFailures: Int
  /// The text that ``Spool/keepResumeState(_:of:target:)`` has kept.
  package var resumeState: String?
}

/// The state of an item's delivery to one target.
package enum DeliveryState: String, Sendable, Hashable, Codable, CaseIterable {
  /// The delivery waits or is under way.
  case pending
  /// The delivery was given up until a person asks for a retry.
  case parked
  /// The target has the item.
  case done
  /// The item was damaged or missing before it could be delivered.
  case quarantined
  /// The item was removed before it was delivered.
  case evicted
}

/// A pause of a target that outlives the process; see ``Spool/keepPause(_:target:)``.
package struct KeptPause: Sendable, Hashable {
  /// The remaining time from now on, in nanoseconds, more than 0.
  package var remainingNanoseconds: Int64
  /// The failure that caused the pause.
  package var failure: DeliveryFailure

  package init(remainingNanoseconds: Int64, failure: DeliveryFailure) {
    self.remainingNanoseconds = remainingNanoseconds
    self.failure = failure
  }
}

/// The failure of an attempt to deliver.
package struct DeliveryFailure: Sendable, Hashable, Codable {
  /// The kind, spelled as in logs and in the API.
  package var code: String
  /// The failure in one sentence for people; cut at 1024 characters when it is kept.
  package var message: String
  /// The HTTP status, if there was an answer.
  package var httpStatus: Int?

  package init(code: String, message: String, httpStatus: Int? = nil) {
    self.code = code
    self.message = message
    self.httpStatus = httpStatus
  }
}

/// The proof that a target has an item.
package struct Receipt: Sendable, Hashable, Codable {
  /// The item's URL, without credentials.
  package var url: String
  /// The name under which the item was delivered.
  package var remoteName: String
  /// The SHA-256 that was sent or confirmed, in lower-case hexadecimal digits.
  package var sha256: String
  /// The HTTP status of the acknowledgment; `nil` for targets without HTTP.
  package var httpStatus: Int?
  /// Whether the target had the item already.
  ///
  /// The item came with an attempt whose answer was lost, or as an earlier item with the same
  /// content. In the second case this receipt is a copy of the earlier item's.
  package var isDuplicate: Bool
  /// The time of the acknowledgment, in nanoseconds since 1970 by the rig's clock.
  package var wallNanoseconds: Int64
  /// The target's result for the item as JSON, for example from a processing endpoint.
  ///
  /// A result of more than 65,536 bytes of UTF-8 is dropped. The receipt is kept without it, and
  /// an ``AuditEvent`` reports the loss.
  package var result: String?

  package init(
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

/// The record of an item's delivery to one target.
package struct DeliveryRecord: Sendable, Hashable {
  /// The target.
  package var target: TargetID
  /// The delivery's state.
  package var state: DeliveryState
  /// Failed attempts so far.
  package var attempts: Int
  /// Failed attempts that were the item's own fault, since the last retry by a person.
  package var itemFailures: Int
  /// The failure of the last attempt; for a parked delivery, the reason why it was parked.
  package var lastFailure: DeliveryFailure?
  /// The proof, once the target has the item.
  package var receipt: Receipt?
}

/// The result of the check of an item's image.
package enum IntegrityResult: Sendable, Hashable {
  /// Length and SHA-256 are those of the stored picture.
  case intact
  /// Length or SHA-256 differs, or the image is gone; the item was taken out of the queue.
  case quarantined(QuarantineReason)
}
