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

  /// The number of times that a thread slept until something woke it
  /// (`/proc/PID/task/TID/status`).
  var switches = 0.0
  /// The number of allocations since the start of each process, and their bytes; `nil` where a
  /// process does not count them (`board/lib/countallocations.c`).
  var allocations: (calls: Double, bytes: Double)? = (0, 0)

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
    for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") {
      let path = "/proc/\(process)/task/\(thread)/status"
      // A thread may end meanwhile.
      let status = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      for line in status.split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches:") {
        switches += line.split(whereSeparator: \.isWhitespace).last.flatMap { Double($0) } ?? 0
      }
    }
    let counted = Self.allocations(of: process)
    allocations = allocations.flatMap { sum in
      counted.map { (sum.calls + $0.calls, sum.bytes + $0.bytes) }
    }
    let children = "/proc/\(process)/task/\(process)/children"
    let list = (try? String(contentsOfFile: children, encoding: .utf8)) ?? ""
    for child in list.split(separator: " ") {
      if let child = Int32(child) { try add(child) }
    }
  }

  private static func allocations(of process: Int32) -> (calls: Double, bytes: Double)? {
    guard
      let folder = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(process)/exe"
      ),
      let counts = FileManager.default.contents(
        atPath: (folder as NSString).deletingLastPathComponent + "/allocations.\(process)")
    else { return nil }
    let numbers = counts.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    return numbers.count == 2 ? (Double(numbers[0]), Double(numbers[1])) : nil
  }

  /// The heads of a table's columns.
  static let heads = """
    | process | % of one core | voluntary switches/s | allocations/s | KiB allocated/s \
    | resident MiB | proportional MiB |
    |---|---|---|---|---|---|---|
    """

  /// Returns a row of a table: the cost since an earlier reading.
  func row(_ name: String, since earlier: ProcessCost, seconds passed: Double) -> String {
    var cells = [
      name, ((seconds - earlier.seconds) / passed * 100).twoDecimals,
      ((switches - earlier.switches) / passed).twoDecimals,
    ]
    if let allocations, let before = earlier.allocations {
      cells.append(((allocations.calls - before.calls) / passed).twoDecimals)
      cells.append(((allocations.bytes - before.bytes) / passed / 1024).twoDecimals)
    } else {
      cells += ["not counted", "not counted"]
    }
    cells += [resident.twoDecimals, proportional.twoDecimals]
    return "| \(cells.joined(separator: " | ")) |"
  }
}
