import ArgumentParser
import Devices
import Foundation

/// The cost of a process and its children, as the kernel counts it.
struct ProcessCost {
  /// The processor time in seconds since the start of each process (`/proc/PID/stat`).
  var seconds = 0.0
  /// The resident memory in MiB; memory that processes share counts for each of them.
  var resident = 0.0
  /// The resident memory in MiB; shared memory counts in equal parts (`/proc/PID/smaps_rollup`).
  var proportional = 0.0

  /// Reads the current cost.
  init(of process: Int32) throws {
    try add(process)
  }

  private mutating func add(_ process: Int32) throws {
    let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // The name may contain spaces and brackets; the fields after its last bracket do not.
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
      throw ValidationError("/proc/\(process)/stat cannot be read")
    }
    seconds += (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    let rollup = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
    for line in rollup.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 2, let kibibytes = Double(words[1]) else { continue }
      if words[0] == "Rss:" { resident += kibibytes / 1024 }
      if words[0] == "Pss:" { proportional += kibibytes / 1024 }
    }
    let children = "/proc/\(process)/task/\(process)/children"
    let list = (try? String(contentsOfFile: children, encoding: .utf8)) ?? ""
    for child in list.split(separator: " ") {
      if let child = Int32(child) { try add(child) }
    }
  }

  /// Returns a row of a table: the cost since an earlier reading.
  func row(_ name: String, since earlier: ProcessCost, seconds passed: Double) -> String {
    let share = (seconds - earlier.seconds) / passed * 100
    return
      "| \(name) | \(share.twoDecimals) | \(resident.twoDecimals) | \(proportional.twoDecimals) |"
  }
}
