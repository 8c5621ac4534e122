import ArgumentParser
import Devices
import Foundation

/// What a process and its children cost, as the kernel counts it.
struct ProcessCost {
  /// Processor time in seconds since each of them began (`/proc/PID/stat`).
  var seconds = 0.0
  /// What is resident, in MiB; what they share counts for each of them.
  var resident = 0.0
  /// What is resident, in MiB; what is shared counts in equal parts (`/proc/PID/smaps_rollup`).
  var proportional = 0.0

  /// Reads it now.
  init(of process: Int32) throws {
    try add(process)
  }

  private mutating func add(_ process: Int32) throws {
    let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // The name may hold spaces and brackets; what follows its last bracket does not.
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

  /// A row of a table: what it cost since an earlier look.
  func row(_ name: String, since earlier: ProcessCost, seconds passed: Double) -> String {
    let share = (seconds - earlier.seconds) / passed * 100
    return
      "| \(name) | \(share.twoDecimals) | \(resident.twoDecimals) | \(proportional.twoDecimals) |"
  }
}
