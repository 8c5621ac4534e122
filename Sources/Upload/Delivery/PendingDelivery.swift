/// A file that waits to be delivered to one target.
package struct PendingDelivery: Sendable, Hashable, Codable {
  /// The item's identity, unique for ever; also the `Idempotency-Key` of its requests.
  package var id: String
  /// The path of the file on this machine.
  package var path: String
  /// The file's size in bytes.
  package var byteCount: Int64
  /// The file's SHA-256 as 64 lower-case hexadecimal digits.
  package var sha256: String
  /// The name at the target, relative to it, `/` between its parts; never changes for an item.
  package var remoteName: String
  /// The number of attempts counted so far.
  ///
  /// An attempt is not counted if it ended with the service or the power, or lacked the right
  /// credentials, descriptors or memory. So the target may have seen the item even if the number is 0.
  package var attempts: Int
  /// The number of attempts that failed with scope ``DeliveryFailure/Scope/item`` so far.
  package var itemFailures: Int
  /// The media type, for example `image/jpeg`.
  package var contentType: String
  /// The picture's metadata, stored beside the picture where the target can store metadata.
  ///
  /// Names consist of `a-z 0-9 -`, and values of printable ASCII, 1 KiB in all at most.
  package var metadata: [String: String]
  /// The state that an earlier attempt kept for this attempt.
  package var resumeState: ResumeState?

  package init(
    id: String, path: String, byteCount: Int64, sha256: String, remoteName: String,
    attempts: Int = 0, itemFailures: Int = 0, contentType: String,
    metadata: [String: String] = [:], resumeState: ResumeState? = nil
  ) {
    self.id = id
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
    self.remoteName = remoteName
    self.attempts = attempts
    self.itemFailures = itemFailures
    self.contentType = contentType
    self.metadata = metadata
    self.resumeState = resumeState
  }
}
