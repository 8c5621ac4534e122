import Foundation

/// A directory that is removed with its last reference.
package final class TemporaryDirectory: Sendable {
  /// The kind of file system on which a directory lies.
  package enum Medium: Sendable {
    /// A disk, as a rule.
    case disk
    /// Memory, if there is such a file system; thousands of `fsync` calls cost nothing there.
    case memory
  }

  /// The directory's path, short enough for sockets in it.
  package let path: String

  /// Makes an empty directory, which others may enter, whatever the umask is.
  package init(on medium: Medium = .disk) {
    let isInMemory = medium == .memory && FileManager.default.fileExists(atPath: "/dev/shm")
    let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    path = (isInMemory ? "/dev/shm" : "/tmp") + "/platen-test-" + name
    // If this fails, every use of the directory fails too.
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Calls a closure with the path of a directory that is gone afterwards.
///
/// - Throws: an error of the closure.
package func withTemporaryDirectory<Success>(
  _ body: (String) async throws -> Success
) async throws -> Success {
  let directory = TemporaryDirectory()
  defer { withExtendedLifetime(directory) {} }
  return try await body(directory.path)
}
