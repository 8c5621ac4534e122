import Foundation
import Testing
import TestSupport

/// A user of this machine, or a number that no user has, in whose name a test calls.
struct User: Sendable, CustomStringConvertible {
  let number: UInt32
  let group: UInt32
  var groups: [UInt32] = []

  var description: String { "\(number):\(group)\(groups)" }

  /// Whether the tests may take the names of others.
  static var canBeOthers: Bool {
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
  }

  /// The answer to `curl` in this user's name, with its head.
  func curl(
    _ arguments: [String], path: String, on server: RunningServer
  ) async throws -> CurlHead {
    let groups = groups.isEmpty ? ["--clear-groups"] : ["--groups", list]
    let tool = try await Tool.run(
      "/usr/bin/setpriv",
      ["--reuid", "\(number)", "--regid", "\(group)"] + groups
        + ["--", "/usr/bin/curl", "-sS", "-i", "-m", "300", "--unix-socket", server.socketPath]
        + arguments + ["http://localhost\(path)"])
    return try CurlHead(tool)
  }

  private var list: String { groups.map(String.init).joined(separator: ",") }
}

/// The head and the body of an answer, as `curl -i` prints them.
struct CurlHead: Sendable {
  let status: Int
  let headers: [String: String]
  let body: String

  /// Asks with curl, whose arguments have the URL.
  static func ask(_ arguments: [String]) async throws -> CurlHead {
    try CurlHead(try await Tool.run("/usr/bin/curl", ["-sS", "-i", "-m", "300"] + arguments))
  }

  init(_ tool: Tool) throws {
    let text = tool.output.replacingOccurrences(of: "\r\n", with: "\n")
    let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = parts.first?.split(separator: "\n") ?? []
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, let status = Int(words[1]) else {
      throw CurlFailure(text: "curl ended with \(tool.exitCode): \(tool.complaint)")
    }
    self.status = status
    headers = lines.dropFirst().reduce(into: [:]) { headers, line in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return }
      let name = parts[0].lowercased()
      let value = parts[1].trimmingCharacters(in: .whitespaces)
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
    body = parts.count == 2 ? String(parts[1]) : ""
  }
}
