/// The proof that a target holds an item.
public struct Receipt: Sendable, Hashable, Codable {
  /// How it was found out that the target holds the same bytes.
  public enum Verification: String, Sendable, Hashable, Codable {
    /// They were read back and their SHA-256 compared.
    case readBack
    /// The target compared them with a checksum that was sent along.
    case checksum
    /// The target's word was taken.
    case statusOnly
  }

  /// The object's URL, without credentials.
  public var url: String
  /// The object's name, relative to the target.
  public var remoteName: String
  /// The SHA-256 of the item as 64 lower-case hexadecimal digits.
  public var sha256: String
  /// How the object's content was checked.
  public var verification: Verification
  /// The HTTP status that settled it; `nil` for targets without HTTP.
  public var status: Int?
  /// The object's entity tag, if the target names one.
  public var entityTag: String?
  /// Whether the object was there already, as after an answer that got lost.
  public var isDuplicate: Bool
  /// What a processing target made of the item: a JSON value, 64 KiB at most.
  public var result: String?
  /// Nanoseconds since 1970 by this machine's clock, which may be wrong.
  public var wallNanoseconds: Int64

  /// Makes a receipt.
  public init(
    url: String, remoteName: String, sha256: String, verification: Verification, status: Int?,
    entityTag: String?, isDuplicate: Bool, result: String? = nil, wallNanoseconds: Int64
  ) {
    self.url = url
    self.remoteName = remoteName
    self.sha256 = sha256
    self.verification = verification
    self.status = status
    self.entityTag = entityTag
    self.isDuplicate = isDuplicate
    self.result = result
    self.wallNanoseconds = wallNanoseconds
  }
}
