/// What lies on the disk and waits, or has been delivered.
public struct SpoolReport: Sendable, Hashable, Codable {
  /// Pictures that have not been delivered yet.
  public let waiting: Int
  /// Pictures delivered, as long as the spool remembers them.
  public let delivered: Int
  /// Files that need a person to look at them.
  public let quarantined: Int
  /// The length of what waits, in bytes.
  public let bytesWaiting: Int64

  /// Makes a report.
  public init(waiting: Int, delivered: Int, quarantined: Int, bytesWaiting: Int64) {
    self.waiting = waiting
    self.delivered = delivered
    self.quarantined = quarantined
    self.bytesWaiting = bytesWaiting
  }
}

/// What the uploader does.
public struct UploadReport: Sendable, Hashable, Codable {
  /// The state: `none` without a target, `stopped`, `idle`, `delivering`, `held` or
  /// `waitingToRetry`.
  public let state: String
  /// The items while delivering; the reasons while held; while waiting what went wrong, and what happens next; else `nil`.
  public let detail: String?
  /// Where pictures go, without any secret; `nil` without a target.
  public let target: String?

  /// Makes a report.
  public init(state: String, detail: String? = nil, target: String? = nil) {
    self.state = state
    self.detail = detail
    self.target = target
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
  /// The target's answer, an HTTP status.
  public let status: Int
  /// Whether the target had the picture already, from an earlier try.
  public let duplicate: Bool

  /// Makes a report.
  public init(target: String, remoteName: String, sha256: String, status: Int, duplicate: Bool) {
    self.target = target
    self.remoteName = remoteName
    self.sha256 = sha256
    self.status = status
    self.duplicate = duplicate
  }
}

/// What became of one picture on its way to a target.
public struct DeliveryReport: Sendable, Hashable, Codable {
  /// The spool's name for the picture.
  public let itemID: String
  /// The number of the press that made it; `nil` for a file that start-up found without a row.
  public let press: Int64?
  /// What happens to it: `delivering`, `delivered` or `waitingToRetry`.
  public let state: String
  /// Why it failed, and what happens next; `nil` when it did not.
  public let detail: String?
  /// The receipt; `nil` unless delivered.
  public let receipt: ReceiptReport?

  /// Makes a report.
  public init(
    itemID: String, press: Int64?, state: String, detail: String? = nil,
    receipt: ReceiptReport? = nil
  ) {
    self.itemID = itemID
    self.press = press
    self.state = state
    self.detail = detail
    self.receipt = receipt
  }
}
