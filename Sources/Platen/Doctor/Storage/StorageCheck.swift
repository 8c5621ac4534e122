import API
import Capture
import Glibc

/// Whether the spool's file system can be written and has room.
struct StorageCheck: DoctorCheck {
  /// Room for so many large pictures is little.
  static let pictures: Int64 = 10

  /// The bytes of a file system.
  struct Room: Sendable, Hashable {
    var freeBytes: Int64
    var totalBytes: Int64

    /// Asks the kernel (`statvfs`); `nil` when the directory is not there.
    static func of(_ directory: String) -> Room? {
      var status = statvfs()
      guard statvfs(directory, &status) == 0 else { return nil }
      return Room(
        freeBytes: bytes(status.f_bavail, status.f_frsize),
        totalBytes: bytes(status.f_blocks, status.f_frsize))
    }

    /// Blocks in bytes; some file systems say all ones for what they do not know.
    static func bytes(_ blocks: UInt, _ blockBytes: UInt) -> Int64 {
      let (bytes, isTooMany) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(blockBytes))
      return isTooMany ? .max : Int64(clamping: bytes)
    }
  }

  let part = DoctorPart.storage
  let directory: String
  let minimumFreeBytes: Int64
  /// What the session says of the disk; empty without a service.
  let reasons: [DoctorReason]
  let files: KernelFiles
  /// Seconds since 1970 by the wall clock, for the age of errors.
  let now: Int64
  let room: @Sendable (String) -> Room?

  func findings() async -> [DoctorReport.Finding] {
    let known = reasons.findings(
      among: [.storageFailed, .storageStalled, .storageFull], of: self)
    let mount = mount
    var findings = known
    if let mount, mount.isReadOnly {
      findings.append(
        fault(.storageReadOnly, "\"\(mount.point)\" (\(mount.device)) is mounted read-only"))
    }
    findings += mount.flatMap(errors).map { [$0] } ?? []
    guard let room = room(directory) else {
      return findings + [fault(.storageUnusable, "\"\(directory)\" is not there or cannot be seen")]
    }
    let text =
      "\(Self.mebibytes(room.freeBytes)) MiB of \(Self.mebibytes(room.totalBytes)) MiB are free, "
      + "\(Self.mebibytes(minimumFreeBytes)) MiB must stay free"
    let isFull = known.contains { $0.code == InterruptionReason.storageFull.rawValue }
    if room.freeBytes < minimumFreeBytes, !isFull {
      findings.append(fault(DoctorCode(.storageFull), text))
    } else if room.freeBytes - minimumFreeBytes < StorageService.roomForOnePicture * Self.pictures,
      !isFull
    {
      findings.append(warning(.storageAlmostFull, text))
    }
    return findings.isEmpty ? [ok("\"\(directory)\": \(text)")] : findings
  }

  private static func mebibytes(_ bytes: Int64) -> Int64 { bytes >> 20 }

  // MARK: what the kernel knows of the file system

  struct Mount: Hashable {
    var device: String
    var point: String
    var isReadOnly: Bool
  }

  /// The mount that the directory is in (`/proc/self/mounts`); the last of several on a point counts.
  var mount: Mount? {
    var best: Mount?
    for line in (files.read("/proc/self/mounts") ?? "").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 4 else { continue }
      let point = Self.unescaped(String(words[1]))
      let isInside =
        directory == point || point == "/" || directory.hasPrefix(point + "/")
      guard isInside, point.utf8.count >= best?.point.utf8.count ?? 0 else { continue }
      best = Mount(
        device: Self.unescaped(String(words[0])), point: point,
        isReadOnly: words[3].split(separator: ",").contains("ro"))
    }
    return best
  }

  /// The kernel writes space, tab, line feed and backslash as three octal digits.
  private static func unescaped(_ text: String) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }

  /// What an ext4 file system has counted of its own errors (`/sys/fs/ext4`).
  private func errors(_ mount: Mount) -> Finding? {
    let name = mount.device.split(separator: "/").last.map(String.init) ?? ""
    let directory = "/sys/fs/ext4/" + name
    guard !name.isEmpty, let count = files.read(directory + "/errors_count").flatMap({ Int64($0) }),
      count > 0
    else { return nil }
    let age = files.read(directory + "/last_error_time").flatMap { Int64($0) }.map { now - $0 }
    let isRecent = age.map { (0..<3600).contains($0) } ?? false
    let text = "the file system on \(mount.device) has counted \(count) errors"
    return isRecent
      ? fault(.storageErrors, "\(text), the last one within the last hour")
      : warning(.storageErrors, text)
  }
}
