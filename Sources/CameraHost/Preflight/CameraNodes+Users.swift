import Glibc

/// Who has a camera's nodes open, for cameras that are used without libcamera.
///
/// A program that speaks V4L2 itself takes no lock, so only its open files show it.
extension CameraNodes {
  /// Finds a process that has a camera's node open (`/proc/PID/fd`); one that has a video node before
  /// one that has a media node or a subdevice only.
  ///
  /// - Parameters:
  ///   - others: processes that do not count.
  ///   - directory: where the nodes are.
  ///   - processes: where the kernel shows the processes.
  /// - Returns: `nil` when there is none, or when other processes may not be looked into: that takes
  ///   the same user, or `CAP_SYS_PTRACE`, and the unit's `ProtectProc=`.
  /// - Complexity: one system call for each open file of the machine.
  public static func user(
    besides others: Set<Int32>, in directory: String = "/dev", processes: String = "/proc"
  ) -> CameraHolder? {
    var best: (rank: Int, holder: CameraHolder)?
    for entry in sorted(processes) {
      guard let process = Int32(entry), process > 0, !others.contains(process) else { continue }
      for file in sorted("\(processes)/\(entry)/fd") {
        guard let target = target(of: "\(processes)/\(entry)/fd/\(file)"),
          target.hasPrefix("\(directory)/"),
          let rank = rank(of: String(target.dropFirst(directory.utf8.count + 1))),
          rank < best?.rank ?? .max
        else { continue }
        best = (
          rank,
          CameraHolder(node: target, processID: process, name: name(of: process), sign: .open)
        )
        if rank == 0 { return best?.holder }
      }
    }
    return best?.holder
  }

  /// How sure a node is a sign of using the camera, the lowest the surest; `nil` for other files.
  private static func rank(of node: String) -> Int? {
    ["video", "v4l-subdev", "media"].firstIndex { isNode(node, of: $0) }
  }

  private static func sorted(_ directory: String) -> [String] {
    entries(of: directory).sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }
}
