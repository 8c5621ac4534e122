import Foundation

/// A real server whose objects are the files of a directory.
protocol ObjectServer {
  /// The directory of the objects.
  var store: String { get }
}

extension ObjectServer {
  /// Returns the paths of all objects, also hidden ones, relative to the root.
  func objects() throws -> [String] { try filePaths(below: store) }

  /// Returns the bytes of an object.
  func object(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: store + "/" + name)))
  }
}

/// Returns the paths of all files below a directory, also hidden ones, relative to it.
func filePaths(below directory: String) throws -> [String] {
  try FileManager.default.subpathsOfDirectory(atPath: directory).filter {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: directory + "/" + $0, isDirectory: &isDirectory)
      && !isDirectory.boolValue
  }.sorted()
}
