/// The counts of pictures that wait on the disk, or have been delivered.
package struct SpoolReport: Sendable, Hashable, Codable {
  /// The number of pictures that have not been delivered yet.
  package let waiting: Int
  /// The number of delivered pictures, as long as the spool remembers them.
  package let delivered: Int
  /// The number of pictures that a target does not take; they wait for a person.
  package let parked: Int
  /// The number of files that a person has to look at.
  package let quarantined: Int
  /// The length of the waiting pictures in bytes.
  package let bytesWaiting: Int64
  /// Whether the spool does not answer, so that the counts are the last known ones, or 0.
  ///
  /// The value is `true`, or `nil` if not.
  package let isStale: Bool?
  /// The number of pictures whose final version is still to be made.
  package let proxies: Int
  /// The number of single frames that were kept instead, as the audit of the spool says.
  package let keptProxies: Int

  package init(
    waiting: Int, delivered: Int, parked: Int = 0, quarantined: Int, bytesWaiting: Int64,
    isStale: Bool? = nil, proxies: Int = 0, keptProxies: Int = 0
  ) {
    self.proxies = proxies
    self.keptProxies = keptProxies
    self.waiting = waiting
    self.delivered = delivered
    self.parked = parked
    self.quarantined = quarantined
    self.bytesWaiting = bytesWaiting
    self.isStale = isStale
  }
}

/// The acknowledgment of a target.
package struct ReceiptReport: Sendable, Hashable, Codable {
  /// The target's name.
  package let target: String
  /// The picture's name at the target.
  package let remoteName: String
  /// The SHA-256 of the file at the target, in lower-case hexadecimal digits.
  package let sha256: String
  /// The target's answer, an HTTP status; 0 for a target without HTTP.
  package let status: Int
  /// Whether the target had the picture already, from an earlier attempt.
  package let duplicate: Bool
  /// The picture's place at the target, without any secret.
  package let url: String?
  /// The result of a processing target, a JSON text.
  package let result: String?

  package init(
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

/// The state of a picture on its way to a target.
package struct DeliveryReport: Sendable, Hashable, Codable {
  /// The state of a delivery.
  package enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// An attempt has begun.
    case delivering
    /// The target has acknowledged the picture.
    case delivered
    /// The attempt failed, and the next one waits.
    case waitingToRetry
    /// The picture is set aside until a person asks for a retry.
    case parked
  }

  /// The spool's name for the picture.
  package let itemID: String
  /// The number of the picture's press; `nil` for a file that a start found without a row.
  package let press: Int64?
  /// The state of the delivery.
  package let state: Word<State>
  /// The target's name.
  package let target: String
  /// The cause of the failure, and the next step; `nil` without a failure.
  package let detail: String?
  /// The receipt; `nil` unless delivered.
  package let receipt: ReceiptReport?

  package init(
    itemID: String, press: Int64?, state: Word<State>, target: String, detail: String? = nil,
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
