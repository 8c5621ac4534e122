import Foundation
import Synchronization
import TestSupport

/// A folder with files like those of sysfs, removed in the end.
///
/// It does what files can: a value that is written is read back. What a driver does with values is
/// for the tests on real kernel devices.
final class FakeSysfs: Sendable {
  private let directory = TemporaryDirectory()

  var path: String { directory.path }

  /// Writes an attribute, with the folders above it and the line feed that the kernel adds.
  ///
  /// - Parameter atomically: whether who opens it meanwhile finds the old value or the new one, as in
  ///   a real sysfs; who has it open keeps the old one then.
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

  /// Takes a file or a folder away, as a driver does that is unbound.
  func remove(_ entry: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(entry)")
  }
}
