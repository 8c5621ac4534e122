/// One picture in the spool: the answer to `GET /v1/spool/items/{id}`.
public struct SpoolItemReport: Sendable, Hashable, Codable {
  /// The spool's name for it.
  public let id: String
  /// The number of the press that made it; `nil` for a file that a start found without a row.
  public let press: Int64?
  /// `stored`, `delivering`, `parked`, `delivered`, `purged`, `quarantined` or `evicted`.
  public let state: String
  /// Why it was quarantined or evicted.
  public let reason: String?
  /// Where its file is, or was.
  public let path: String
  /// Its length in bytes.
  public let bytes: Int64
  /// Its SHA-256 in lower-case hexadecimal digits.
  public let sha256: String
  /// The name under which it is delivered.
  public let remoteName: String
  /// Its media type, for example `image/jpeg`.
  public let mediaType: String?
  /// When it was taken.
  public let captured: CaptureTimeReport
  /// The earlier picture with the same bytes.
  public let duplicateOf: String?
  /// An earlier picture that looks the same.
  public let nearDuplicateOf: String?
  /// How each delivery stands.
  public let deliveries: [DeliveryStateReport]

  /// Makes a report.
  public init(
    id: String, press: Int64?, state: String, reason: String?, path: String, bytes: Int64,
    sha256: String, remoteName: String, mediaType: String?, captured: CaptureTimeReport,
    duplicateOf: String?, nearDuplicateOf: String?, deliveries: [DeliveryStateReport]
  ) {
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

/// When a picture was taken, as well as it is known now.
public struct CaptureTimeReport: Sendable, Hashable, Codable {
  /// The wall-clock time, ISO 8601 in UTC with milliseconds; `nil` when nothing is known.
  public let time: String?
  /// How far it can be trusted: `synchronised`, `estimated` or `unknown`.
  public let trust: String
  /// The kernel's ID of the boot in which it was taken.
  public let bootID: String?
  /// The exposure's midpoint on that boot's `CLOCK_MONOTONIC`, in nanoseconds.
  public let monotonicNanoseconds: Int64?

  /// Makes a report.
  public init(time: String?, trust: String, bootID: String?, monotonicNanoseconds: Int64?) {
    self.time = time
    self.trust = trust
    self.bootID = bootID
    self.monotonicNanoseconds = monotonicNanoseconds
  }
}

/// How the delivery of a picture to one target stands.
public struct DeliveryStateReport: Sendable, Hashable, Codable {
  /// The target's name.
  public let target: String
  /// `pending`, `parked`, `done`, `quarantined` or `evicted`.
  public let state: String
  /// Failed attempts so far.
  public let attempts: Int
  /// The code of the last failure.
  public let failure: String?
  /// The last failure in words.
  public let detail: String?
  /// The receipt; `nil` until it is done.
  public let receipt: ReceiptReport?

  /// Makes a report.
  public init(
    target: String, state: String, attempts: Int, failure: String?, detail: String?,
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

/// The answer to `GET /v1/spool/items`.
public struct SpoolItemList: Sendable, Hashable, Codable {
  /// What is asked for to get all pictures that wait in one list: `stored`, `delivering`, `parked`.
  public static let waiting = "waiting"

  /// The pictures, the newest first; their receipts are without
  /// ``ReceiptReport/result``.
  public let items: [SpoolItemReport]
  /// What `before` has to be for the next page; `nil` when there is none.
  public let next: String?

  /// Makes a list.
  public init(items: [SpoolItemReport], next: String?) {
    self.items = items
    self.next = next
  }
}
