/// The receiver of a running delivery's resume states and progress.
package protocol DeliveryJournal: Sendable {
  /// Commits the state that the next attempt resumes from; `nil` restarts the delivery.
  ///
  /// The state is on stable storage when this function returns. The item's next ``PendingDelivery``
  /// holds the state, also after a power cut.
  ///
  /// - Throws: ``DeliveryFailure`` with `queueFailed`; the delivery then ends with it.
  func keep(_ state: ResumeState?) async throws(DeliveryFailure)

  /// Shows the delivery's progress, which is stored nowhere.
  func note(_ progress: DeliveryProgress)

  /// Writes a fact about the target into the log; the delivery goes on.
  func remark(_ text: String)
}

/// The point at which an unfinished delivery can be resumed.
package struct ResumeState: Sendable, Hashable, Codable {
  /// The protocol of the state, for example `s3Multipart` or `tus`; a target ignores others.
  package var kind: String
  /// The server's name for the delivery: an upload ID or a URL; empty while it is not known.
  package var session: String
  /// The bytes of each part, where the protocol has parts.
  package var partByteCount: Int64?
  /// Whether the completing request has been sent.
  ///
  /// A missing session may then mean that the upload was completed.
  package var isFinalSent: Bool = false
}

/// The progress of a delivery.
package struct DeliveryProgress: Sendable, Hashable {
  /// The bytes that the target has; `nil` when they are not counted.
  package var bytesSent: Int64?
  /// The finished fraction of the target's own work, 0...1; `nil` if unknown.
  package var fraction: Double?
  /// The target's own words; at most 200 characters, no control characters.
  package var text: String?
}
