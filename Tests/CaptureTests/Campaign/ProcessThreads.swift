import Glibc

/// The states of this process's threads, as the kernel knows them.
enum ProcessThreads {
  /// Whether a thread besides the caller's runs, or waits for a processor or a disk.
  ///
  /// The threads are looked at one after the other. One that wakes another behind the look goes to
  /// sleep before its own turn, and is counted.
  ///
  /// Sources: the states in `/proc/self/task/*/stat`, see proc_pid_stat(5); getrusage(2).
  static var othersRun: Bool {
    let before = sleepCount
    return hasRunning || sleepCount != before
  }

  /// The number of times that threads of this process have gone to sleep.
  private static var sleepCount: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_nvcsw
  }

  private static var hasRunning: Bool {
    guard let directory = opendir("/proc/self/task") else { return false }
    defer { closedir(directory) }
    let own = ownThread
    while let entry = readdir(directory) {
      let thread = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        Int32(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
      }
      if let thread, thread != own, isRunning(thread) { return true }
    }
    return false
  }

  /// The caller's number, from the link `/proc/thread-self`; `nil` when it cannot be read.
  private static var ownThread: Int32? {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = readlink(
        "/proc/thread-self", base.assumingMemoryBound(to: CChar.self), buffer.count)
      let target = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
      return target.split(separator: "/").last.flatMap { Int32($0) }
    }
  }

  private static func isRunning(_ thread: Int32) -> Bool {
    let file = open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    // The state follows the name, which may hold any character but ends with the last bracket.
    return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
      let read = buffer[..<max(0, read(file, buffer.baseAddress, buffer.count))]
      guard let bracket = read.lastIndex(of: UInt8(ascii: ")")),
        let state = read.dropFirst(bracket + 2).first
      else { return false }
      return state == UInt8(ascii: "R") || state == UInt8(ascii: "D")
    }
  }
}
