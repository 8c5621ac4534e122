import CMalloc
import Foundation

/// What this process holds, by its own entries in `/proc` and its allocator.
struct ProcessFootprint: CustomStringConvertible {
  /// Resident memory in KiB (`VmRSS`).
  var memory: Int
  /// Bytes that the allocator has given out and not got back (`mallinfo2`'s `uordblks` and
  /// `hblkhd`); what threads keep at hand to give out again counts as given out.
  var allocated: Int
  /// Open descriptors (`/proc/self/fd`), with the one that counts them.
  var descriptors: Int
  /// Threads (`/proc/self/task`).
  var threads: Int

  /// Reads it now.
  static var now: ProcessFootprint {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let memory = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    func count(_ path: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: path))?.count ?? -1
    }
    let allocator = mallinfo2()
    return ProcessFootprint(
      memory: memory ?? -1, allocated: allocator.uordblks + allocator.hblkhd,
      descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"))
  }

  /// The least of several looks, so that what is only on its way does not count.
  static func atRest() async -> ProcessFootprint {
    var least = now
    for _ in 0..<20 {
      try? await Task.sleep(for: .milliseconds(20))
      let next = now
      least.memory = min(least.memory, next.memory)
      least.allocated = min(least.allocated, next.allocated)
      least.descriptors = min(least.descriptors, next.descriptors)
      least.threads = min(least.threads, next.threads)
    }
    return least
  }

  var description: String {
    "\(memory) KiB resident, \(allocated / 1024) KiB allocated, \(descriptors) descriptors, "
      + "\(threads) threads"
  }
}
