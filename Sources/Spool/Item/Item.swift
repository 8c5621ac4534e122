/// A picture or a recording to store.
package struct NewItem: Sendable {
  /// The content of an item.
  package enum Content: Sendable, Hashable {
    /// An encoded picture in memory; not empty.
    case bytes([UInt8])
    /// The absolute path of a regular file, not empty and outside the spool, that is taken over.
    ///
    /// A file on the spool's file system is moved, and any other is copied; 1 MiB is in memory at a
    /// time. Nothing may write to the file any more. It is removed only after the item is on stable
    /// storage, and stays when the store is refused. After a crash, both file and item may exist.
    /// They may then share their bytes, so such a file may be stored again or removed, but not
    /// rewritten. Stored again, it is an exact duplicate.
    case file(String)
  }

  /// The picture or recording itself.
  package var content: Content
  /// The file's extension: 1 to 8 of `a-z 0-9`, neither `json` nor `part`.
  package var fileExtension: String
  /// The picture's metadata.
  package var metadata: ItemMetadata
  /// The presses that the picture replaces; the first one with a stored picture counts.
  ///
  /// The first picture of that press becomes ``ItemMetadata/replacedItemID``. Without such a press,
  /// the metadata stay as they are.
  package var replacing: [Int64]
  /// The source of a proxy, which is on stable storage; `nil` for a final picture.
  package var source: PendingSource?

  /// Makes an item from an encoded picture.
  package init(
    bytes: [UInt8], fileExtension: String = "jpg", metadata: ItemMetadata,
    replacing: [Int64] = []
  ) {
    content = .bytes(bytes)
    self.fileExtension = fileExtension
    self.metadata = metadata
    self.replacing = replacing
  }

  /// Makes an item from a file, which the spool takes over; see ``Content/file(_:)``.
  package init(
    file path: String, fileExtension: String, metadata: ItemMetadata, replacing: [Int64] = []
  ) {
    content = .file(path)
    self.fileExtension = fileExtension
    self.metadata = metadata
    self.replacing = replacing
  }

  /// The content in memory; empty for a file.
  package var bytes: [UInt8] {
    get { if case .bytes(let bytes) = content { bytes } else { [] } }
    set { content = .bytes(newValue) }
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
  /// The ID of the picture that this one replaces; `nil` for none.
  package var replacedItemID: ItemID?
  /// Whether a better version of the picture follows.
  package var isProxy = false
}
