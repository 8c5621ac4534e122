import CHostCalls
import Devices
import Glibc

/// The search for processes that use the cameras.
///
/// libcamera marks a camera in use with `lockf(3)` on its media node (media_device.cpp), and
/// `fcntl(2)` with `F_GETLK` reports the holder of that lock. A program without libcamera (ffmpeg,
/// mjpg-streamer, v4l2-ctl) locks nothing. While it streams, it owns the buffers of a video node.
/// The search opens the nodes and closes them again. In a process that has a camera, this would
/// drop libcamera's locks. So only a process without a camera may search.
package enum CameraNodes {
  /// Finds a process that uses a camera; examines the nodes in the order of their names.
  ///
  /// - Parameters:
  ///   - others: the processes that do not count.
  ///   - directory: the directory of the nodes.
  /// - Returns: `nil` when there is none, or when the nodes may not be opened; see ``closed(in:)``.
  /// - Complexity: a few system calls for each node.
  package static func holder(
    besides others: Set<Int32>, in directory: String = "/dev"
  ) -> CameraHolder? {
    var isOurs = false
    for path in nodes("media", in: directory) {
      var isLocked: Int32 = 0
      let process = asking(path) { CHostCalls_lockHolder($0, &isLocked) } ?? -1
      guard process >= 0, isLocked != 0 else { continue }
      guard others.contains(process) else {
        return CameraHolder(node: path, processID: process, name: name(of: process))
      }
      isOurs = true
    }
    // Streaming nodes cannot be told apart from those of a camera whose process does not count.
    guard !isOurs else { return nil }
    for path in nodes("video", in: directory) {
      guard asking(path, CHostCalls_streamsForAnother) == 1 else { continue }
      let process = processes(withOpen: path).subtracting(others).min() ?? 0
      return CameraHolder(node: path, processID: process, name: name(of: process), sign: .stream)
    }
    return nil
  }

  /// Returns the nodes that this process may not open and therefore cannot examine.
  ///
  /// If there are any, ``holder(besides:in:)`` may be `nil` even while a process has a camera.
  ///
  /// - Complexity: an `open(2)` for each node.
  package static func closed(in directory: String = "/dev") -> [String] {
    ["media", "video"].flatMap { nodes($0, in: directory) }.filter { path in
      let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { return errno == EACCES || errno == EPERM }
      close(descriptor)
      return false
    }
  }

  /// Opens a node for one question.
  private static func asking(_ path: String, _ question: (Int32) -> Int32) -> Int32? {
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return question(descriptor)
  }

  /// Returns the paths of the nodes of a kind, for example `media`, in a directory, in order.
  static func nodes(_ kind: String, in directory: String) -> [String] {
    entries(of: directory).filter { isNode($0, of: kind) }.map { "\(directory)/\($0)" }
  }

  /// Returns the names in a directory, in the order of their numbers; none when it cannot be read.
  static func entries(of directory: String) -> [String] {
    ((try? SystemCalls.names(in: directory)) ?? [])
      .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// Whether a name is a kind with a number.
  static func isNode(_ name: String, of kind: String) -> Bool {
    let number = name.dropFirst(kind.count)
    return name.hasPrefix(kind) && !number.isEmpty
      && number.utf8.allSatisfy { (48...57).contains($0) }
  }

  /// Returns the processes that have a file open, as far as `/proc/PID/fd` may be read.
  private static func processes(withOpen path: String) -> Set<Int32> {
    let numbers = entries(of: "/proc").compactMap { Int32($0) }
    return Set(
      numbers.filter { process in
        let folder = "/proc/\(process)/fd"
        return entries(of: folder).contains { target(of: "\(folder)/\($0)") == path }
      })
  }

  /// Returns the target of a symbolic link; `nil` when it may not be read.
  static func target(of link: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { buffer -> Int in
      guard let start = buffer.baseAddress else { return -1 }
      return readlink(link, start.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  /// Returns a process's name (`/proc/PID/comm`); `nil` when it may not be read (`ProtectProc=`).
  static func name(of process: Int32) -> String? {
    guard process > 0 else { return nil }
    let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
  }
}
