import Glibc

/// The list of a directory's items, in the format that `sha256sum` writes and checks.
struct DirectoryManifest {
  /// A number of bytes that no line reaches.
  private static let maximumLineBytes: Int64 = 8192

  /// Returns the line of an item, with its line break.
  static func line(of item: PendingDelivery) -> [UInt8] {
    Array("\(item.sha256)  \(item.remoteName)\n".utf8)
  }

  /// Adds an item's line and forces it to the medium.
  ///
  /// A partial line left by a power cut is removed first; no receipt exists for its item.
  ///
  /// - Parameter mayBeListed: whether the file is searched for the line first, from its beginning.
  static func add(
    _ item: PendingDelivery, in root: borrowing OpenFile, mayBeListed: Bool
  ) throws(FileFailure) {
    let file = try root.open(DirectoryTarget.manifestName, O_RDWR | O_CREAT | O_APPEND)
    guard let byteCount = try file.byteCount() else {
      throw FileFailure("open", file.path, number: EISDIR)
    }
    let whole = try wholeLines(of: file, byteCount: byteCount)
    let line = line(of: item)
    if mayBeListed, try contains(line, in: file, byteCount: whole) {
      return
    }
    if whole < byteCount { try file.truncate(to: whole) }
    try file.writeAll(line[...])
    try file.sync()
    if byteCount == 0 { try root.sync() }
  }

  /// Returns the number of bytes up to the end of the last whole line.
  private static func wholeLines(
    of file: borrowing OpenFile, byteCount: Int64
  ) throws(FileFailure) -> Int64 {
    let start = max(0, byteCount - maximumLineBytes)
    var tail = [UInt8](repeating: 0, count: Int(byteCount - start))
    let count = tail.isEmpty ? 0 : try file.read(into: &tail, at: start)
    guard let end = tail[..<count].lastIndex(of: UInt8(ascii: "\n")) else {
      // No line of ours is that long, so the foreign text stays.
      return start == 0 ? 0 : byteCount
    }
    return start + Int64(end) + 1
  }

  private static func contains(
    _ line: [UInt8], in file: borrowing OpenFile, byteCount: Int64
  ) throws(FileFailure) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var rest: [UInt8] = []
    var offset: Int64 = 0
    while offset < byteCount {
      let count = try file.read(into: &buffer, at: offset)
      guard count > 0 else { return false }
      offset += Int64(count)
      rest += buffer[..<count]
      var start = rest.startIndex
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        if rest[start...end].elementsEqual(line) { return true }
        start = end + 1
      }
      rest.removeSubrange(..<start)
    }
    return false
  }
}
