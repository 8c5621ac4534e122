internal import CFileCalls
import Devices
import Digests
import Foundation

/// A support bundle as a compressed file in a private, temporary directory.
///
/// No other user can read the directory, which is removed with this object. Debian's `tar` and
/// `gzip` make the archive: every Debian system has both, and every system can read their format.
package final class SupportArchive: Sendable {
  /// The reason why there is no archive, or no copy in the requested place.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that quotes the file and ends with the cause.
    package let description: String
  }

  /// The archive's name, `NAME.tar.gz`.
  package let name: String
  /// The archive's path.
  package let path: String
  /// The archive's length in bytes.
  package let bytes: Int64
  /// The archive's SHA-256 in lowercase hexadecimal digits.
  package let sha256: String
  private let directory: String

  /// Packs a bundle.
  ///
  /// - Throws: ``Failure``.
  package init(_ bundle: SupportBundle) async throws {
    directory = try Self.scratchDirectory()
    name = bundle.name + ".tar.gz"
    path = directory + "/" + name
    do {
      let root = directory + "/" + bundle.name
      guard mkdir(root, 0o700) == 0 else { throw Self.failure(root) }
      for file in bundle.files {
        try Self.write(file.bytes, to: root + "/" + file.name)
      }
      let outcome = try await LocalProgram(
        "/usr/bin/tar",
        [
          "--create", "--gzip", "--format=ustar", "--sort=name", "--owner=root:0",
          "--group=root:0", "--file=\(path)", "--directory=\(directory)", bundle.name,
        ], timeout: .seconds(120)
      ).run()
      guard outcome.status == 0 else {
        throw Failure(
          description: "tar ended with \(outcome.status): \(outcome.complaint.prefix(200))")
      }
      guard chmod(path, 0o600) == 0 else { throw Self.failure(path) }
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes = Int64(data.count)
      sha256 = Digest.value(.sha256, of: data).hexadecimal
    } catch {
      try? FileManager.default.removeItem(atPath: directory)
      throw (error as? LocalProgram.Failure).map { Failure(description: $0.description) } ?? error
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Copies the archive to a new file that only the user can read.
  ///
  /// The copy is complete and on stable storage, or absent; it never replaces another file.
  ///
  /// - Parameter target: a file that does not exist, or an existing directory.
  /// - Returns: the copy's path.
  /// - Throws: ``Failure``.
  package func copy(to target: String) throws(Failure) -> String {
    var isDirectory = ObjCBool(false)
    let exists = FileManager.default.fileExists(atPath: target, isDirectory: &isDirectory)
    let end = exists && isDirectory.boolValue ? target + "/" + name : target
    let folder = (end as NSString).deletingLastPathComponent
    let parent = folder.isEmpty ? "." : folder
    let last = (end as NSString).lastPathComponent
    let part = ".\(last).\(UInt32.random(in: 0...UInt32.max)).part"
    let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw Self.failure(parent) }
    defer { close(directory) }
    do throws(Failure) {
      guard let data = FileManager.default.contents(atPath: path) else { throw Self.failure(path) }
      try Self.write(Array(data), to: parent + "/" + part)
      try Self.place(part, as: last, in: directory, path: end)
      guard fsync(directory) == 0 else { throw Self.failure(parent) }
    } catch {
      unlinkat(directory, part, 0)
      throw error
    }
    return end
  }

  /// Renames a file without replacing another one.
  private static func place(
    _ part: String, as name: String, in directory: Int32, path: String
  ) throws(Failure) {
    if CFileCalls_renameWithoutReplacing(directory, part, name) == 0 { return }
    // A file system without this operation can link the new name and remove the old one.
    guard errno == EINVAL || errno == ENOSYS else { throw failure(path) }
    guard linkat(directory, part, directory, name, 0) == 0 else { throw failure(path) }
    unlinkat(directory, part, 0)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    do throws(SystemError) {
      try SystemCalls.write(bytes[...], to: descriptor)
      guard fsync(descriptor) == 0 else { throw SystemError.last }
    } catch {
      throw failure(path, error)
    }
  }

  /// Creates a directory, in memory if possible: the rig's disk may be faulty.
  private static func scratchDirectory() throws(Failure) -> String {
    for parent in ["/dev/shm", "/tmp", "/run/user/\(geteuid())"] {
      var path = Array("\(parent)/platen-support-XXXXXX".utf8CString)
      if mkdtemp(&path) != nil {
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    throw failure("/tmp")
  }

  private static func failure(_ path: String, _ error: SystemError = .last) -> Failure {
    Failure(
      description: error.number == EEXIST
        ? "\"\(path)\" is there already, and is left as it is."
        : "\"\(path)\" cannot be written: \(error).")
  }
}
