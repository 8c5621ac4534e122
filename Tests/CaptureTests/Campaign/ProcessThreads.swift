import Foundation

/// What the threads of this process do, as the kernel knows it.
enum ProcessThreads {
  /// Whether a thread besides the caller's runs, or waits for a processor or a disk.
  ///
  /// Source: the states in `/proc/self/task/*/stat`, see proc_pid_stat(5).
  static var othersRun: Bool {
    let files = FileManager.default
    let own = (try? files.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
    let threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.contains { thread in
      guard !own.hasSuffix("/\(thread)"),
        let bytes = files.contents(atPath: "/proc/self/task/\(thread)/stat")
      else { return false }
      // The state follows the name, which may hold anything but ends with the last bracket.
      let stat = String(decoding: bytes, as: UTF8.self)
      let state = stat.split(separator: ")").last?.dropFirst().first
      return state == "R" || state == "D"
    }
  }
}
