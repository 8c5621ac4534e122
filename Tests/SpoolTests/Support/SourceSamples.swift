import Foundation

@testable import Spool

extension NewItem {
  /// Makes an item from a file, with the metadata of ``sample(_:bytes:)``.
  static func sample(_ number: Int, file path: String) -> NewItem {
    NewItem(file: path, fileExtension: "mp4", metadata: NewItem.sample(number, bytes: 1).metadata)
  }
}

extension TestDirectory {
  /// The directory of files that a spool takes over.
  var sources: String { path + "/sources" }

  /// Writes a file for a spool to take over, and returns its path.
  func source(_ bytes: [UInt8], name: String = "video") throws -> String {
    try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: sources + "/" + name))
    return sources + "/" + name
  }
}

/// Returns the bytes of a file; `nil` when there is none.
func content(_ path: String) -> [UInt8]? {
  FileManager.default.contents(atPath: path).map { Array($0) }
}
