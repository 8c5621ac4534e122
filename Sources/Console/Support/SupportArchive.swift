internal import CFileCalls
import Digests
import Foundation

/// A support bundle as one compressed file, in a directory of its own that nobody else may look into
/// and that is gone with this value.
///
/// Debian's `tar` and `gzip` make it: both belong to every Debian, and what they write every system
/// can read.
public final class SupportArchive: Sendable {
  /// Why there is no archive, or why it cannot be where it is wanted.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence, the file quoted, the cause last.
    public let description: String
  }

  /// The archive's name, `NAME.tar.gz`.
  public let name: String
  /// Where it is.
  public let path: String
  /// Its length in bytes.
  public let bytes: Int64
  /// Its SHA-256 in lower-case hexadecimal digits.
  public let sha256: String
  private let directory: String

  /// Packs a bundle.
  ///
  /// - Throws: ``Failure``.
  public init(_ bundle: SupportBundle) async throws {
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
        ], patience: .seconds(120)
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

  /// Puts a copy where somebody wants it, readable for them alone; it is there as a whole and on
  /// stable storage, or not at all, and never in the place of another file.
  ///
  /// - Parameter target: a file that does not exist, or a directory that does.
  /// - Returns: the copy's path.
  /// - Throws: ``Failure``.
  public func copy(to target: String) throws(Failure) -> String {
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

  /// Gives a file its name, where that is not taken.
  private static func place(
    _ part: String, as name: String, in directory: Int32, path: String
  ) throws(Failure) {
    if CFileCalls_renameWithoutReplacing(directory, part, name) == 0 { return }
    // Where the file system cannot, a second name can be made, and the first taken away.
    guard errno == EINVAL || errno == ENOSYS else { throw failure(path) }
    guard linkat(directory, part, directory, name, 0) == 0 else { throw failure(path) }
    unlinkat(directory, part, 0)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(path) }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw failure(path) }
  }

  /// A directory in memory where there is such a place: the rig's disk may be what is broken.
  private static func scratchDirectory() throws(Failure) -> String {
    for parent in ["/dev/shm", "/tmp", "/run/user/\(geteuid())"] {
      var path = Array("\(parent)/platen-support-XXXXXX".utf8CString)
      if mkdtemp(&path) != nil {
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    throw failure("/tmp")
  }

  private static func failure(_ path: String) -> Failure {
    let number = errno
    return Failure(
      description: number == EEXIST
        ? "\"\(path)\" is there already, and is left as it is."
        : "\"\(path)\" cannot be written: \(String(cString: strerror(number))).")
  }
}
