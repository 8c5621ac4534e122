import Foundation
import TestSupport

/// A drive in a file, with a real file system, mounted for a test; only root can mount it.
///
/// exFAT is mounted over FUSE, which needs no driver in the kernel. That exFAT knows neither
/// `RENAME_NOREPLACE` nor links.
final class Drive: Sendable {
  enum FileSystem: String, Sendable, CaseIterable {
    case ext4, exfat, vfat

    /// The file systems that this kernel can mount.
    static let mountable = allCases.filter { kind in
      let known = try? String(contentsOfFile: "/proc/filesystems", encoding: .utf8)
      let lines = known?.split(separator: "\n").map { $0.split(separator: "\t").last ?? "" } ?? []
      return lines.contains { $0 == (kind == .exfat ? "fuse" : kind.rawValue) }
    }
  }

  private let files = TemporaryDirectory()
  private let fileSystem: FileSystem

  /// The file that is the drive's medium.
  var image: String { files.path + "/image" }
  /// The path at which the drive is mounted.
  var path: String { files.path + "/drive" }

  /// Makes a drive of so many MiB.
  init(_ fileSystem: FileSystem, mebibytes: Int = 16) async throws {
    self.fileSystem = fileSystem
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try await run("/usr/bin/truncate", ["-s", "\(mebibytes)M", image])
    switch fileSystem {
    case .ext4: try await run("/usr/sbin/mkfs.ext4", ["-q", image])
    case .exfat: try await run("/usr/sbin/mkfs.exfat", [image])
    case .vfat: try await run("/usr/sbin/mkfs.vfat", [image])
    }
    try await mount()
  }

  func mount() async throws {
    switch fileSystem {
    case .exfat:
      let device = try await run("/usr/sbin/losetup", ["--find", "--show", image])
        .trimmingCharacters(in: .whitespacesAndNewlines)
      // The remaining process must not keep open what `run` waits for.
      let script = """
        ( for fd in /proc/$BASHPID/fd/*; do fd=${fd##*/}
            [ "$fd" -le 2 ] || eval "exec $fd>&-"
          done
          exec /usr/sbin/mount.exfat-fuse "$1" "$2" )
        """
      try await run("/bin/bash", ["-c", script, "mount", device, path])
      // The loop device goes with its last user, as with `mount -o loop`.
      try await run("/usr/sbin/losetup", ["--detach", device])
    case .ext4, .vfat: try await run("/usr/bin/mount", ["-o", "loop", image, path])
    }
  }

  func makeReadOnly() async throws {
    try await run("/usr/bin/mount", ["-o", "remount,ro", path])
  }

  /// Takes the drive away as a person does, whatever files are open on it.
  func unplug() async throws { try await run("/usr/bin/umount", ["-l", path]) }

  /// Ends the process behind a FUSE file system, so that every call fails with `ENOTCONN`.
  func breakConnection() {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for process in processes.compactMap(Int32.init) {
      let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      if words.first?.hasSuffix("mount.exfat-fuse") == true, words.contains(path) {
        kill(process, SIGKILL)
      }
    }
  }

  /// Returns the paths of all files, also hidden ones, without those of the file system itself.
  func entries() throws -> [String] { try filePaths(below: path) }
}

/// Runs a body with a drive that is unmounted afterwards.
func withDrive(
  _ fileSystem: Drive.FileSystem, mebibytes: Int = 16, _ body: (Drive) async throws -> Void
) async throws {
  let drive = try await Drive(fileSystem, mebibytes: mebibytes)
  do {
    try await body(drive)
  } catch {
    // The drive may be unplugged already.
    try? await drive.unplug()
    throw error
  }
  try? await drive.unplug()
}
