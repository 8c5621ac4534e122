import Devices
import Foundation
import Testing

/// Expects that a camera process has only the rights that it needs, as the kernel reports them.
///
/// - Parameter mayKeep: whether the process may have a variable of the environment.
func expectGivenUp(by process: Int32, mayKeep: (String) -> Bool) throws {
  // All threads, including those that a library started before the first line of the program.
  for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") {
    let path = "/proc/\(process)/task/\(thread)/status"
    // A thread that has ended meanwhile has no file.
    guard let status = try fields(of: path) else { continue }
    #expect(status["NoNewPrivs"] == "1")
    for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
      #expect(status[set] == "0000000000000000", "\(set) of \(status["Name"] ?? "")")
    }
  }
  let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
  let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
  #expect(core?.split(whereSeparator: \.isWhitespace).dropFirst(4).first == "0")
  // A process without a core file belongs to root as far as /proc goes.
  if getuid() == 0 {
    let environment = try String(
      contentsOfFile: "/proc/\(process)/environ", encoding: .utf8)
    let names = environment.split(separator: "\0").compactMap { $0.split(separator: "=").first }
    #expect(names.allSatisfy { mayKeep(String($0)) }, "\(names)")
    for descriptor in try FileManager.default.contentsOfDirectory(
      atPath: "/proc/\(process)/fd")
    {
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(process)/fd/\(descriptor)")
      let number = Int(descriptor) ?? -1
      #expect(
        number <= 3 || target?.hasPrefix("anon_inode:") == true
          || target?.hasPrefix("/memfd:") == true,
        "\(descriptor) is \(target ?? "?")")
    }
  }
  // The process has a group of its own, so that a Ctrl-C on the terminal ends only the service.
  #expect(getpgid(process) == process)
}

/// Returns the fields of a thread's file; `nil` if the thread is gone.
private func fields(of path: String) throws -> [String: String]? {
  var bytes = [UInt8](repeating: 0, count: 16_384)
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  let count = descriptor < 0 ? -1 : read(descriptor, &bytes, bytes.count)
  let code = errno
  if descriptor >= 0 { close(descriptor) }
  if count < 0, code == ENOENT || code == ESRCH { return nil }
  try #require(count >= 0, "\(path): \(SystemError(code))")
  var fields: [String: String] = [:]
  for line in String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n") {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { continue }
    fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
  }
  return fields
}
