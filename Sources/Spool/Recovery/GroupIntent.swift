import Foundation

/// The pictures of a group that is being stored, outside the database.
///
/// `group.json` is durable before the first picture of the group has its name, and is removed after
/// the commit of their rows. So a start finds out whether a crash came before the commit, and
/// removes what is there of the group. No picture of it was acknowledged then.
struct GroupIntent: Hashable, Codable {
  static let fileName = "group.json"

  /// A picture of the group.
  struct Member: Hashable, Codable {
    var id: String
    var fileExtension: String
  }

  var members: [Member]

  /// Makes the intent durable.
  func write(to directory: String, files: any FileSystem) throws(SpoolError) {
    try SpoolJSON.write(self, to: Self.fileName, in: directory, files)
  }

  /// Removes the pictures of a group without rows, and then the intent.
  ///
  /// A new index has lost the rows. Then the pictures stay, as they may have been acknowledged. A
  /// picture that the medium refuses to remove is left behind, and the start goes on.
  static func settle(_ recovery: inout Recovery, isNewIndex: Bool) throws(SpoolError) {
    let (files, root) = (recovery.files, recovery.layout.root)
    let path = root + "/" + fileName
    let status = try recovery.itemFiles.perform { () throws(FileSystemError) in
      try files.status(path)
    }
    guard status?.kind == .regular else { return }
    if !isNewIndex, let bytes = try? files.readFile(path, limit: 1 << 16),
      let intent = try? JSONDecoder().decode(GroupIntent.self, from: Data(bytes))
    {
      try intent.removeUnlessCommitted(&recovery)
    }
    // Durable before any adoption, so that a later start does not judge adopted pictures.
    _ = try recovery.attempt { (_) throws(FileSystemError) in
      try files.unlink(path)
      try files.syncDirectory(root)
    }
  }

  private func removeUnlessCommitted(_ recovery: inout Recovery) throws(SpoolError) {
    let pictures = members.compactMap { member in
      ItemID(member.id).map { (id: $0, fileExtension: member.fileExtension) }
    }.filter { RemoteName.isValidFileExtension($0.fileExtension) }
    // The rows of a group are committed together.
    for picture in pictures {
      if try recovery.index.row(picture.id) != nil { return }
    }
    for picture in pictures {
      let isRemoved = try recovery.attempt { (recovery) throws(FileSystemError) in
        try recovery.itemFiles.discard(picture.id, picture.fileExtension)
      }
      if isRemoved { recovery.report.removedParts += 1 }
    }
  }
}
