/// The rule that says whether there is room for one more picture.
struct Capacity: Hashable, Sendable {
  /// What a picture needs besides its own bytes: the sidecar, directory blocks, database pages.
  static let overheadBytes: Int64 = 64 << 10
  /// Files that a picture needs, with a margin for the database's own.
  static let filesNeeded: Int64 = 4

  var minimumFreeBytes: Int64
  var maximumBytes: Int64?
  var maximumItems: Int?

  /// What is missing for a picture, and how much has to go for it.
  struct Shortage: Hashable {
    /// What there is too little of.
    enum Resource: Hashable {
      /// Places under a limit of the configuration.
      case limit
      /// Bytes of the file system, of which so many are free beyond the reserve; often negative.
      case bytes(spare: Int64)
      /// Files of the file system, of which so many can be made.
      case files(spare: Int64)
    }

    var cause: String
    var resource = Resource.limit
    /// Bytes of pictures.
    var bytes: Int64 = 0
    /// Pictures.
    var items = 0

    /// Whether the file system has gained nothing of what is missing since an earlier shortage.
    ///
    /// The removal of pictures always helps against a limit, but need not free what the file system
    /// lacks: others use it up, or the files are held by somebody.
    func isUnrelieved(since earlier: Shortage) -> Bool {
      switch (earlier.resource, resource) {
      case (.bytes(let before), .bytes(let now)), (.files(let before), .files(let now)):
        now <= before
      default: false
      }
    }
  }

  /// What is missing; `nil` when there is room.
  ///
  /// - Parameter kept: the pictures that wait or are quarantined.
  func shortage(bytes: Int64, kept: Tally.Items, room: FileSystemRoom) -> Shortage? {
    if let maximumBytes, kept.bytes + bytes > maximumBytes {
      return Shortage(
        cause: """
          \(kept.bytes) bytes wait or are quarantined, and \(bytes) more would pass the limit of \
          \(maximumBytes)
          """, bytes: kept.bytes + bytes - maximumBytes)
    }
    if let maximumItems, kept.count + 1 > maximumItems {
      return Shortage(
        cause: "\(kept.count) pictures wait or are quarantined, and the limit is \(maximumItems)",
        items: kept.count + 1 - maximumItems)
    }
    let left = room.freeBytes - bytes - Self.overheadBytes
    if left < minimumFreeBytes {
      return Shortage(
        cause: """
          \(room.freeBytes) bytes are free, \(bytes) are needed and \(minimumFreeBytes) must stay
          """, resource: .bytes(spare: room.freeBytes - minimumFreeBytes),
        bytes: minimumFreeBytes - left)
    }
    if let freeFiles = room.freeFiles, freeFiles < Self.filesNeeded {
      return Shortage(
        cause: "the file system has only \(freeFiles) files left",
        resource: .files(spare: freeFiles),
        items: 2)
    }
    return nil
  }
}
