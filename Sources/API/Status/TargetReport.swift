package import Devices

/// The state of a target.
package struct TargetReport: Sendable, Hashable, Codable {
  /// A delivery that is under way.
  package struct Running: Sendable, Hashable, Codable {
    /// The ID of the picture.
    package let itemID: String
    /// The number of bytes that the target has; `nil` when they are not counted.
    package let bytesSent: Int64?
    /// The length of the picture in bytes.
    package let bytes: Int64
    /// The progress of the target's own work, 0...1; `nil` when the target does not report it.
    package let fraction: Double?
    /// The target's own words.
    package let text: String?

    package init(
      itemID: String, bytesSent: Int64?, bytes: Int64, fraction: Double?, text: String?
    ) {
      self.itemID = itemID
      self.bytesSent = bytesSent
      self.bytes = bytes
      self.fraction = finite(fraction)
      self.text = text
    }
  }

  /// The state of the uploads to a target.
  package enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// The uploader does not run.
    case stopped
    /// No picture waits.
    case idle
    /// Pictures are being delivered.
    case delivering
    /// An attempt failed, and the next one waits.
    case waitingToRetry
    /// No delivery may begin; ``TargetReport/holds`` says why.
    case held
  }

  /// The target's name.
  package let name: String
  /// The target's kind, for example `webdav` or `s3`.
  package let kind: String
  /// The target's URL, without any secret.
  package let url: String
  /// The state of the uploads to the target.
  package let state: Word<State>
  /// The failure that lasts, because of which the target or a picture waits; `nil` without one.
  package let detail: String?
  /// The time to the next attempt in seconds, while the target waits.
  package let nextAttemptSeconds: Double?
  /// The reasons why no delivery begins, for example `thermalCritical` or `window`; empty for none.
  package let holds: [String]
  /// The reason codes of the target's present faults; empty for none.
  ///
  /// - `deliveryParked`: the target has refused pictures, which are set aside.
  package let faults: [Word<InterruptionReason>]
  /// The deliveries that are under way.
  package let running: [Running]
  /// The number of pictures delivered since the service started.
  package let delivered: Int
  /// The number of delivered pictures that the target had already.
  package let duplicates: Int
  /// The number of failed attempts since the service started.
  package let failures: Int
  /// The number of pictures set aside since the service started.
  package let parked: Int

  package init(
    name: String, kind: String, url: String, state: Word<State>, detail: String? = nil,
    nextAttemptSeconds: Double? = nil, holds: [String] = [],
    faults: [Word<InterruptionReason>] = [],
    running: [Running] = [], delivered: Int = 0, duplicates: Int = 0, failures: Int = 0,
    parked: Int = 0
  ) {
    self.name = name
    self.kind = kind
    self.url = url
    self.state = state
    self.detail = detail
    self.nextAttemptSeconds = finite(nextAttemptSeconds)
    self.holds = holds
    self.faults = faults
    self.running = running
    self.delivered = delivered
    self.duplicates = duplicates
    self.failures = failures
    self.parked = parked
  }
}
