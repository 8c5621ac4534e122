/// What lies on the disk and waits, or has been delivered.
public struct SpoolReport: Sendable, Hashable, Codable {
  /// Pictures that have not been delivered yet.
  public let waiting: Int
  /// Pictures delivered, as long as the spool remembers them.
  public let delivered: Int
  /// Pictures that a target does not take; they wait for a person.
  public let parked: Int
  /// Files that need a person to look at them.
  public let quarantined: Int
  /// The length of what waits, in bytes.
  public let bytesWaiting: Int64

  /// Makes a report.
  public init(
    waiting: Int, delivered: Int, parked: Int = 0, quarantined: Int, bytesWaiting: Int64
  ) {
    self.waiting = waiting
    self.delivered = delivered
    self.parked = parked
    self.quarantined = quarantined
    self.bytesWaiting = bytesWaiting
  }
}

/// What a target acknowledged.
public struct ReceiptReport: Sendable, Hashable, Codable {
  /// The target's name.
  public let target: String
  /// What the picture is called there.
  public let remoteName: String
  /// The SHA-256 of what lies there, in lower-case hexadecimal digits.
  public let sha256: String
  /// The target's answer, an HTTP status; 0 for a target without HTTP.
  public let status: Int
  /// Whether the target had the picture already, from an earlier try.
  public let duplicate: Bool
  /// Where it lies, without any secret.
  public let url: String?
  /// What a processing target made of it, a JSON text.
  public let result: String?

  /// Makes a report.
  public init(
    target: String, remoteName: String, sha256: String, status: Int, duplicate: Bool,
    url: String? = nil, result: String? = nil
  ) {
    self.target = target
    self.remoteName = remoteName
    self.sha256 = sha256
    self.status = status
    self.duplicate = duplicate
    self.url = url
    self.result = result
  }
}

/// What became of one picture on its way to a target.
public struct DeliveryReport: Sendable, Hashable, Codable {
  /// The spool's name for the picture.
  public let itemID: String
  /// The number of the press that made it; `nil` for a file that start-up found without a row.
  public let press: Int64?
  /// What happens to it: `delivering`, `delivered`, `waitingToRetry` or `parked`.
  public let state: String
  /// The target's name.
  public let target: String
  /// Why it failed, and what happens next; `nil` when it did not.
  public let detail: String?
  /// The receipt; `nil` unless delivered.
  public let receipt: ReceiptReport?

  /// Makes a report.
  public init(
    itemID: String, press: Int64?, state: String, target: String, detail: String? = nil,
    receipt: ReceiptReport? = nil
  ) {
    self.itemID = itemID
    self.press = press
    self.state = state
    self.target = target
    self.detail = detail
    self.receipt = receipt
  }
}
