/// A picture to store.
package struct NewItem: Sendable {
  /// The encoded picture; not empty.
  package var bytes: [UInt8]
  /// The file's extension: 1 to 8 of `a-z 0-9`, neither `json` nor `part`.
  package var fileExtension: String
  /// The picture's metadata.
  package var metadata: ItemMetadata

  /// Makes an item from an encoded picture.
  package init(bytes: [UInt8], fileExtension: String = "jpg", metadata: ItemMetadata) {
    self.bytes = bytes
    self.fileExtension = fileExtension
    self.metadata = metadata
  }
}

/// A picture that is on stable storage: image, sidecar, directory entry and queue row.
package struct StoredItem: Sendable, Hashable {
  /// The picture's ID in the spool.
  package var id: ItemID
  /// The image's path.
  package var path: String
  /// The image's length in bytes.
  package var byteCount: Int64
  /// The SHA-256 of the image in lower-case hexadecimal digits.
  package var sha256: String
  /// The name under which the item will be delivered.
  package var remoteName: String
}
