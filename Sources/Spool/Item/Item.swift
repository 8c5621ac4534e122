/// A picture to be stored.
public struct NewItem: Sendable {
  /// The encoded picture; not empty.
  public var bytes: [UInt8]
  /// The file's extension: 1 to 8 of `a-z 0-9`, neither `json` nor `part`.
  public var fileExtension: String
  /// What is known of it.
  public var metadata: ItemMetadata

  /// Makes an item from an encoded picture.
  public init(bytes: [UInt8], fileExtension: String = "jpg", metadata: ItemMetadata) {
    self.bytes = bytes
    self.fileExtension = fileExtension
    self.metadata = metadata
  }
}

/// A picture that is on stable storage: image, sidecar, directory entry and queue row.
public struct StoredItem: Sendable, Hashable {
  /// The spool's name for it.
  public var id: ItemID
  /// The image's path.
  public var path: String
  /// The image's length in bytes.
  public var byteCount: Int64
  /// The SHA-256 of the image in lower-case hexadecimal digits.
  public var sha256: String
  /// The name under which it will be delivered.
  public var remoteName: String
}
