/// A file that waits to be delivered to one target.
public struct PendingDelivery: Sendable, Hashable, Codable {
  /// The item's identity, unique for ever; also the `Idempotency-Key` of its requests.
  public var id: String
  /// The path of the file on this machine.
  public var path: String
  /// The file's size in bytes.
  public var byteCount: Int64
  /// The file's SHA-256 as 64 lower-case hexadecimal digits.
  public var sha256: String
  /// The name at the target, relative to it, `/` between its parts; never changes for an item.
  public var remoteName: String
  /// How many attempts are counted so far.
  ///
  /// An attempt that ended with the service or the power, or for want of the right credentials, is
  /// not, so 0 does not say that the target has never seen the item.
  public var attempts: Int
  /// How many attempts have failed with scope ``DeliveryFailure/Scope/item`` so far.
  public var itemFailures: Int
  /// The media type, for example `image/jpeg`.
  public var contentType: String
  /// What is known of the picture, to be stored beside it where the target has room for that:
  /// names of `a-z 0-9 -` and values of printable ASCII, 1 KiB in all at most.
  public var metadata: [String: String]
  /// What an earlier attempt kept for this one.
  public var resumeState: ResumeState?

  /// Makes a pending delivery.
  public init(
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
