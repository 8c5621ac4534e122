package import Devices

/// A picture in the spool: the answer to `GET /v1/spool/items/{id}`.
package struct SpoolItemReport: Sendable, Hashable, Codable {
  /// The state of a picture in the spool.
  package enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// The picture waits for at least one target.
    case stored
    /// The picture is being delivered to at least one target.
    case delivering
    /// The picture is set aside until a person asks for a retry.
    case parked
    /// Every target has acknowledged the picture; its files are being removed.
    case delivered
    /// Every target has acknowledged the picture, and its files are gone.
    case purged
    /// The picture is damaged or missing, and is not delivered.
    case quarantined
    /// The picture was removed without a receipt.
    case evicted
  }

  /// The spool's name for the picture.
  package let id: String
  /// The number of the picture's press; `nil` for a file that a start found without a row.
  package let press: Int64?
  /// The state of the picture.
  package let state: Word<State>
  /// The reason of the quarantine or the eviction.
  package let reason: String?
  /// The present or former path of the file.
  package let path: String
  /// The length of the file in bytes.
  package let bytes: Int64
  /// The SHA-256 of the file in lower-case hexadecimal digits.
  package let sha256: String
  /// The name under which the picture is delivered.
  package let remoteName: String
  /// The media type, for example `image/jpeg`.
  package let mediaType: String?
  /// The time when the picture was taken.
  package let captured: CaptureTimeReport
  /// The earlier picture with the same bytes.
  package let duplicateOf: String?
  /// An earlier picture that looks the same.
  package let nearDuplicateOf: String?
  /// The state of each delivery.
  package let deliveries: [DeliveryStateReport]
  /// The value `true` if a better version follows under the same ID; `nil` for a final picture.
  package let isProxy: Bool?

  package init(
    id: String, press: Int64?, state: Word<State>, reason: String?, path: String, bytes: Int64,
    sha256: String, remoteName: String, mediaType: String?, captured: CaptureTimeReport,
    duplicateOf: String?, nearDuplicateOf: String?, deliveries: [DeliveryStateReport],
    isProxy: Bool? = nil
  ) {
    self.isProxy = isProxy
    self.id = id
    self.press = press
    self.state = state
    self.reason = reason
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.remoteName = remoteName
    self.mediaType = mediaType
    self.captured = captured
    self.duplicateOf = duplicateOf
    self.nearDuplicateOf = nearDuplicateOf
    self.deliveries = deliveries
  }
}

/// The best known time when a picture was taken.
package struct CaptureTimeReport: Sendable, Hashable, Codable {
  /// The wall-clock time, ISO 8601 in UTC with milliseconds; `nil` when nothing is known.
  package let time: String?
  /// The trust in ``time``.
  package let trust: Word<WallTrust>
  /// The kernel's ID of the boot in which the picture was taken.
  package let bootID: String?
  /// The exposure's midpoint on its boot's `CLOCK_MONOTONIC`, in nanoseconds.
  package let monotonicNanoseconds: Int64?

  package init(
    time: String?, trust: Word<WallTrust>, bootID: String?, monotonicNanoseconds: Int64?
  ) {
    self.time = time
    self.trust = trust
    self.bootID = bootID
    self.monotonicNanoseconds = monotonicNanoseconds
  }
}

/// The state of a picture's delivery to one target.
package struct DeliveryStateReport: Sendable, Hashable, Codable {
  /// The state of a picture's delivery to one target.
  package enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// The delivery waits or is under way.
    case pending
    /// The delivery was given up until a person asks for a retry.
    case parked
    /// The target has the picture.
    case done
    /// The picture was damaged or missing before it could be delivered.
    case quarantined
    /// The picture was removed before it was delivered.
    case evicted
  }

  /// The target's name.
  package let target: String
  /// The state of the delivery.
  package let state: Word<State>
  /// The number of failed attempts so far.
  package let attempts: Int
  /// The code of the last failure.
  package let failure: String?
  /// The last failure in words.
  package let detail: String?
  /// The receipt; `nil` until the delivery is done.
  package let receipt: ReceiptReport?

  package init(
    target: String, state: Word<State>, attempts: Int, failure: String?, detail: String?,
    receipt: ReceiptReport?
  ) {
    self.target = target
    self.state = state
    self.attempts = attempts
    self.failure = failure
    self.detail = detail
    self.receipt = receipt
  }
}

/// A page of pictures in the spool: the answer to `GET /v1/spool/items`.
package struct SpoolItemList: Sendable, Hashable, Codable {
  /// The pictures, the newest first; their receipts are without ``ReceiptReport/result``.
  package let items: [SpoolItemReport]
  /// The value of `before` for the next page; `nil` when there is none.
  package let next: String?

  package init(items: [SpoolItemReport], next: String?) {
    self.items = items
    self.next = next
  }
}
