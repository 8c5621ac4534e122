import CMalloc
import Foundation

/// The resources of this process, by its own entries in `/proc` and its allocator.
package struct ProcessFootprint: Sendable, CustomStringConvertible {
  /// Resident memory in KiB (`VmRSS`).
  package var memory: Int
  /// Bytes allocated and not freed (`mallinfo2`'s `uordblks` and `hblkhd`).
  ///
  /// Memory that threads keep for their next allocation counts as allocated.
  package var allocated: Int
  /// Open descriptors (`/proc/self/fd`), including the one that counts them.
  package var descriptors: Int
  /// Threads (`/proc/self/task`).
  package var threads: Int

  /// The present footprint.
  package static var now: ProcessFootprint {
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

  /// Returns the least of several looks, so that passing allocations do not count.
  package static func atRest() async -> ProcessFootprint {
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

  package var description: String {
    "\(memory) KiB resident, \(allocated / 1024) KiB allocated, \(descriptors) descriptors, "
      + "\(threads) threads"
  }
}
