import Foundation
import Testing

/// A program that was run to its end.
struct Tool: Sendable {
  let exitCode: Int32
  let output: String
  let complaint: String

  /// Runs a program on a thread of its own: the tests' threads are also the server's.
  static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Tool {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try runHere(program, arguments, environment: environment) })
      }
    }
  }

  /// Runs the `platenctl` that was built beside the tests' own bundle.
  static func platenctl(_ arguments: [String], socket: String) async throws -> Tool {
    try await run(try platenctlPath(), arguments, environment: ["PLATEN_SOCKET": socket])
  }

  /// The `platenctl` that was built beside the tests' own bundle.
  static func platenctlPath() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let candidates = ([own] + CommandLine.arguments).map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("platenctl").path
    }
    return try #require(
      candidates.first { FileManager.default.isExecutableFile(atPath: $0) },
      "platenctl is not built beside the tests: \(candidates)")
  }

  private static func runHere(
    _ program: String, _ arguments: [String], environment: [String: String]
  ) throws -> Tool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let (output, complaint) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = complaint
    try process.run()
    // What these programs complain of is shorter than a pipe, so reading in turn cannot block.
    let outputData = output.fileHandleForReading.readDataToEndOfFile()
    let complaintData = complaint.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Tool(
      exitCode: process.terminationStatus, output: String(decoding: outputData, as: UTF8.self),
      complaint: String(decoding: complaintData, as: UTF8.self))
  }
}

/// What `curl`, which knows nothing of this project, says of an answer.
struct CurlAnswer: Sendable {
  let status: Int
  let contentType: String
  let allow: String
  let body: String

  static func get(
    _ path: String, on server: RunningServer, _ arguments: [String] = []
  ) async throws -> CurlAnswer {
    let format = "\n%{http_code}\n%{content_type}\n%header{allow}"
    let tool = try await Tool.run(
      "/usr/bin/curl",
      ["-sS", "-m", "20", "--unix-socket", server.socketPath, "-w", format] + arguments
        + ["http://localhost\(path)"])
    var lines = tool.output.split(separator: "\n", omittingEmptySubsequences: false)
    guard tool.exitCode == 0, lines.count >= 4, let status = Int(lines[lines.count - 3]) else {
      throw CurlFailure(text: "curl ended with \(tool.exitCode): \(tool.complaint)")
    }
    let allow = String(lines.removeLast())
    let contentType = String(lines.removeLast())
    lines.removeLast()
    return CurlAnswer(
      status: status, contentType: contentType, allow: allow, body: lines.joined(separator: "\n"))
  }
}

/// Curl got no answer.
struct CurlFailure: Error {
  let text: String
}
