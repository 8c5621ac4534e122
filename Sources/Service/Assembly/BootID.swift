import Foundation

/// The kernel's name of this boot (`/proc/sys/kernel/random/boot_id`).
package enum BootID {
  /// The name, which is read once, because it stays the same as long as this process.
  package static let current: String? = {
    let contents = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    return contents?.trimmingCharacters(in: .whitespacesAndNewlines)
  }()
}
