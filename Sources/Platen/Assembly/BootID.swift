import Foundation

/// The kernel's name of this boot (`/proc/sys/kernel/random/boot_id`).
enum BootID {
  static var current: String? {
    let contents = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    return contents?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
