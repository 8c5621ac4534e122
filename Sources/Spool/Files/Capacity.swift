/// The rule that says whether there is room for one more picture.
struct Capacity: Hashable, Sendable {
  /// What a picture needs besides its own bytes: the sidecar, directory blocks, database pages.
  static let overheadBytes: Int64 = 64 << 10
  /// Files that a picture needs, with a margin for the database's own.
  static let filesNeeded: Int64 = 4

  var minimumFreeBytes: Int64
  var maximumBytes: Int64?

  /// Why there is no room; `nil` when there is.
  func refusal(bytes: Int64, waiting: Int64, room: FileSystemRoom) -> String? {
    if let maximumBytes, waiting + bytes > maximumBytes {
      return "\(waiting) bytes wait and \(bytes) more would pass the limit of \(maximumBytes)"
    }
    let left = room.freeBytes - bytes - Self.overheadBytes
    if left < minimumFreeBytes {
      return
        "\(room.freeBytes) bytes are free, \(bytes) are needed and \(minimumFreeBytes) must stay"
    }
    if let freeFiles = room.freeFiles, freeFiles < Self.filesNeeded {
      return "the file system has only \(freeFiles) files left"
    }
    return nil
  }
}
