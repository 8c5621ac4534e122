import Foundation

/// The memory that the machine has for new work (`/proc/meminfo`).
package enum AvailableMemory {
  /// Returns the memory in bytes; `nil` when the kernel does not say.
  package static func read() -> Int? {
    (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)).flatMap { bytes(in: $0) }
  }

  /// Returns the memory that the kernel's text says, in bytes.
  static func bytes(in text: String) -> Int? {
    let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
    let kibibytes = line?.split(separator: " ").dropFirst().first
    return kibibytes.flatMap { Int($0) }.map { $0 << 10 }
  }
}
