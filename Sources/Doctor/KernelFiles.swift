import Devices
import Foundation
import Glibc
import RigConfiguration

/// The small status files of the kernel and the system, below a root that tests choose.
///
/// The calls block and belong on a separate executor.
struct KernelFiles: Sendable, Hashable {
  /// The prefix of each path; empty for the machine itself.
  var root = ""

  /// Returns the path to open.
  func path(_ path: String) -> String { root + path }

  /// Returns whether the path exists.
  func exists(_ path: String) -> Bool { access(self.path(path), F_OK) == 0 }

  /// Returns the file's text without trailing line feeds; `nil` when it cannot be read.
  func read(_ path: String) -> String? {
    guard var bytes = bytes(of: path) else { return nil }
    while bytes.last == 10 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the file's first MiB; `nil` when it cannot be read.
  func bytes(of path: String) -> [UInt8]? {
    let descriptor = open(self.path(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return try? SystemCalls.read(descriptor, limit: 1 << 20)
  }

  /// Returns the names in a directory, in order; none when it cannot be read.
  func names(in path: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: self.path(path))) ?? []
    return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// Returns owner and permissions of a path; `nil` when they cannot be read.
  func owner(of path: String) -> FileOwner? { FileOwner(of: self.path(path)) }
}
