/// What a running delivery tells while it runs.
public protocol DeliveryJournal: Sendable {
  /// Commits what the next attempt needs to go on where this one stops; `nil` to begin anew.
  ///
  /// It is on stable storage when this returns; the next ``PendingDelivery`` of the item holds it,
  /// also after a power cut.
  ///
  /// - Throws: ``DeliveryFailure`` with `queueFailed`; the delivery then ends with it.
  func keep(_ state: ResumeState?) async throws(DeliveryFailure)

  /// Shows how far the delivery is; kept nowhere.
  func note(_ progress: DeliveryProgress)
}

/// Where an unfinished delivery can be resumed.
public struct ResumeState: Sendable, Hashable, Codable {
  /// The protocol that it belongs to, for example `s3Multipart` or `tus`; a target ignores others.
  public var kind: String
  /// The server's name for it: an upload ID or a URL.
  public var session: String
  /// The bytes of each part, where the protocol has parts.
  public var partByteCount: Int64?
  /// Whether the request that completes it has been sent, so that a missing session may mean that
  /// it was completed.
  public var isFinalSent: Bool

  /// Makes a state.
  public init(
    kind: String, session: String, partByteCount: Int64? = nil, isFinalSent: Bool = false
  ) {
    self.kind = kind
    self.session = session
    self.partByteCount = partByteCount
    self.isFinalSent = isFinalSent
  }
}

/// How far a delivery is.
public struct DeliveryProgress: Sendable, Hashable {
  /// Bytes that the target has; `nil` when they are not counted.
  public var bytesSent: Int64?
  /// How far the target's own work is, 0...1; `nil` when it does not say.
  public var fraction: Double?
  /// The target's own words; at most 200 characters, no control characters.
  public var text: String?

  /// Makes a progress.
  public init(bytesSent: Int64? = nil, fraction: Double? = nil, text: String? = nil) {
    self.bytesSent = bytesSent
    self.fraction = fraction
    self.text = text
  }
}
