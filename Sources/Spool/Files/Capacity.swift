import Devices

/// The rule that decides whether there is room for one more picture.
struct Capacity: Hashable, Sendable {
  /// The bytes a picture needs besides its own: for the sidecar, directory blocks, database pages.
  static let overheadBytes: Int64 = 64 << 10
  /// The number of files that a picture needs, with a margin for the database's own.
  static let filesNeeded: Int64 = 4

  var minimumFreeBytes: Int64
  var maximumBytes: Int64?
  var maximumItems: Int?

  /// The resource that is missing for a picture, and the amount to free for it.
  struct Shortage: Hashable {
    /// The resource that is short.
    enum Resource: Hashable {
      /// A limit of the configuration.
      case limit
      /// The file system's bytes; `spare` are free beyond the reserve, often a negative number.
      case bytes(spare: Int64)
      /// The files of the file system; `spare` can still be made.
      case files(spare: Int64)
    }

    var cause: String
    var resource = Resource.limit
    /// The bytes of pictures to remove.
    var bytes: Int64 = 0
    /// The number of pictures to remove.
    var items = 0

    /// Whether the file system has gained nothing that is missing since an earlier shortage.
    ///
    /// The removal of pictures always helps against a limit, but may not help the file system.
    /// Other programs may use the freed room, or a process may hold the files open.
    func isUnrelieved(since earlier: Shortage) -> Bool {
      switch (earlier.resource, resource) {
      case (.bytes(let before), .bytes(let now)), (.files(let before), .files(let now)):
        now <= before
      default: false
      }
    }
  }

  /// Returns the shortage for a picture; `nil` when there is room.
  ///
  /// - Parameters:
  ///   - bytes: the picture's length.
  ///   - items: the number of pictures that have this length together.
  ///   - written: the bytes that the picture adds to the file system; `nil` for all of them.
  ///   - kept: the pictures that wait or are quarantined.
  ///   - room: the free room of the file system.
  func shortage(
    bytes: Int64, items: Int = 1, written: Int64? = nil, kept: Tally.Items, room: FileSystemRoom
  ) -> Shortage? {
    if let maximumBytes, kept.bytes + bytes > maximumBytes {
      return Shortage(
        cause: """
          \(kept.bytes.counted("byte waits or is", "bytes wait or are")) quarantined, and \
          \(bytes) more would pass the limit of \(maximumBytes)
          """, bytes: kept.bytes + bytes - maximumBytes)
    }
    if let maximumItems, kept.count + items > maximumItems {
      return Shortage(
        cause: kept.count.counted("picture waits or is", "pictures wait or are")
          + " quarantined, and the limit is \(maximumItems)",
        items: kept.count + items - maximumItems)
    }
    let written = written ?? bytes
    let left = room.freeBytes - written - Self.overheadBytes * Int64(items)
    if left < minimumFreeBytes {
      return Shortage(
        cause: """
          \(room.freeBytes.counted("byte is", "bytes are")) free, \(written) are needed and \
          \(minimumFreeBytes) must stay
          """, resource: .bytes(spare: room.freeBytes - minimumFreeBytes),
        bytes: minimumFreeBytes - left)
    }
    if let freeFiles = room.freeFiles, freeFiles < Self.filesNeeded * Int64(items) {
      return Shortage(
        cause: "the file system has only \(freeFiles.counted("file")) left",
        resource: .files(spare: freeFiles),
        items: 2 * items)
    }
    return nil
  }
}
