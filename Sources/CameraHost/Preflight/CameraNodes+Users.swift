import Glibc

/// The search for processes with open camera nodes, for cameras that are used without libcamera.
///
/// A program that uses V4L2 directly takes no lock, so only its open files reveal it.
extension CameraNodes {
  /// Finds a process that has a camera's node open (`/proc/PID/fd`).
  ///
  /// A process with a video node comes before a process with only a media node or a subdevice.
  ///
  /// - Parameters:
  ///   - others: the processes that do not count.
  ///   - directory: the directory of the nodes.
  ///   - processes: the directory in which the kernel shows the processes.
  /// - Returns: `nil` when there is none, or when other processes may not be examined. This needs
  ///   the same user or `CAP_SYS_PTRACE`, and also the unit's `ProtectProc=`.
  /// - Complexity: one system call for each open file of the machine.
  package static func user(
    besides others: Set<Int32>, in directory: String = "/dev", processes: String = "/proc"
  ) -> CameraHolder? {
    var best: (rank: Int, holder: CameraHolder)?
    for entry in entries(of: processes) {
      guard let process = Int32(entry), process > 0, !others.contains(process) else { continue }
      for file in entries(of: "\(processes)/\(entry)/fd") {
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

  /// Ranks a node as evidence of use, the lowest rank being the surest; `nil` for other files.
  private static func rank(of node: String) -> Int? {
    ["video", "v4l-subdev", "media"].firstIndex { isNode(node, of: $0) }
  }
}
