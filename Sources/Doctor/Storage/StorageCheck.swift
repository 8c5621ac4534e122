import API
import Capture
import Devices
import Glibc
import Spool

/// The check of the spool's file system: whether it is writable and has free space.
package struct StorageCheck: DoctorCheck {
  /// The number of large pictures; a warning comes when the free space is less than their size.
  static let pictures: Int64 = 10

  /// The space of a file system in bytes.
  package struct Room: Sendable, Hashable {
    /// The space that the spool needs before a press is accepted: a large picture.
    package static let forOnePicture = SpoolConfiguration.roomForPicture

    /// The space that is free.
    package var freeBytes: Int64
    var totalBytes: Int64

    /// Asks the kernel (`statvfs`); returns `nil` when the directory does not exist.
    package static func of(_ directory: String) -> Room? {
      var status = statvfs()
      guard statvfs(directory, &status) == 0 else { return nil }
      return Room(
        freeBytes: bytes(status.f_bavail, status.f_frsize),
        totalBytes: bytes(status.f_blocks, status.f_frsize))
    }

    /// Returns the bytes of some blocks; some file systems report all ones for an unknown number.
    static func bytes(_ blocks: UInt, _ blockBytes: UInt) -> Int64 {
      let (bytes, isTooMany) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(blockBytes))
      return isTooMany ? .max : Int64(clamping: bytes)
    }
  }

  let part = DoctorPart.storage
  let directory: String
  let minimumFreeBytes: Int64
  /// The session's reasons that concern the disk; empty without a service.
  let reasons: [DoctorReason]
  let files: KernelFiles
  /// The wall clock's seconds since 1970, for the age of errors.
  let now: Int64
  let room: @Sendable (String) -> Room?

  func findings() async -> [DoctorReport.Finding] {
    let known = reasons.findings(
      among: [.storageFailed, .storageStalled, .storageFull], of: self)
    let mounts = MountTable(files.read("/proc/self/mounts"))
    let mount = mounts.mount(of: directory)
    var findings = known
    if let mount, mount.isReadOnly {
      findings.append(
        fault(.storageReadOnly, "\"\(mount.point)\" (\(mount.device)) is mounted read-only"))
    }
    findings += mount.flatMap(errors).map { [$0] } ?? []
    findings += mount.flatMap { misplacement(in: $0, mounts) }.map { [$0] } ?? []
    findings += SwapSpace(files: files, mounts: mounts).onCard.map {
      warning(.swapOnCard, "the swap space \"\($0)\" is on the card")
    }
    guard let room = room(directory) else {
      return findings + [fault(.storageUnusable, "\"\(directory)\" is not there or cannot be seen")]
    }
    let text =
      "\(Self.mebibytes(room.freeBytes)) MiB of \(Self.mebibytes(room.totalBytes)) MiB are free, "
      + "\(Self.mebibytes(minimumFreeBytes)) MiB must stay free"
    let isFull = known.contains { $0.code == InterruptionReason.storageFull.rawValue }
    if room.freeBytes < minimumFreeBytes, !isFull {
      findings.append(fault(DoctorCode(.storageFull), text))
    } else if room.freeBytes - minimumFreeBytes < Room.forOnePicture * Self.pictures,
      !isFull
    {
      findings.append(warning(.storageAlmostFull, text))
    }
    return findings.isEmpty ? [ok("\"\(directory)\": \(text)")] : findings
  }

  private static func mebibytes(_ bytes: Int64) -> Int64 { bytes >> 20 }

  // MARK: the kernel's view of the file system

  /// Returns the finding of a spool that lies elsewhere than it should; `nil` when all is in order.
  private func misplacement(in mount: MountTable.Mount, _ mounts: MountTable) -> Finding? {
    let wanted = MountTable(files.read("/etc/fstab")).mount(of: directory)
    if let wanted, wanted.point.utf8.count > mount.point.utf8.count {
      return fault(
        .storageUnusable, "\"\(wanted.point)\" is in /etc/fstab, and is not mounted")
    }
    guard let upper = mount.upperDirectory,
      let memory = mounts.mount(of: upper), ["tmpfs", "ramfs"].contains(memory.type)
    else { return nil }
    return warning(
      .storageVolatile,
      "\"\(directory)\" is in memory, because the file system \"\(mount.point)\" is read-only")
  }

  /// Returns the finding of the errors that an ext4 file system has counted (`/sys/fs/ext4`).
  private func errors(_ mount: MountTable.Mount) -> Finding? {
    let name = mount.device.split(separator: "/").last.map(String.init) ?? ""
    let directory = "/sys/fs/ext4/" + name
    guard !name.isEmpty, let count = files.read(directory + "/errors_count").flatMap({ Int64($0) }),
      count > 0
    else { return nil }
    let age = files.read(directory + "/last_error_time").flatMap { Int64($0) }.map { now - $0 }
    let isRecent = age.map { (0..<3600).contains($0) } ?? false
    let text = "the file system on \(mount.device) has counted \(count.counted("error"))"
    return isRecent
      ? fault(.storageErrors, "\(text), the last one within the last hour")
      : warning(.storageErrors, text)
  }
}
