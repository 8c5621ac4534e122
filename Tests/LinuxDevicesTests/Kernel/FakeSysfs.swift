import Foundation
import Synchronization
import TestSupport

/// A folder with files like those of sysfs, removed in the end.
///
/// The folder does what files can: a written value is read back. The effect of values on a driver
/// is tested on real kernel devices.
final class FakeSysfs: Sendable {
  private let directory = TemporaryDirectory()

  var path: String { directory.path }

  /// Writes an attribute, with the folders above it and the line feed that the kernel adds.
  ///
  /// - Parameter atomically: whether a reader that opens the file meanwhile finds a whole value, as
  /// in a real sysfs. A reader that has it open then keeps the old value.
  func set(_ attribute: String, _ value: String, atomically: Bool = false) throws {
    let file = "\(path)/\(attribute)"
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data("\(value)\n".utf8).write(
      to: URL(fileURLWithPath: file), options: atomically ? .atomic : [])
  }

  /// Reads an attribute as it was written last.
  func get(_ attribute: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(attribute)", encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }

  /// Takes a file or a folder away at once, like a driver that is unbound.
  func remove(_ entry: String) throws {
    let removed = "\(path)/removed"
    try FileManager.default.moveItem(atPath: "\(path)/\(entry)", toPath: removed)
    try FileManager.default.removeItem(atPath: removed)
  }
}
