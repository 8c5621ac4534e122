import ArgumentParser
import Foundation
import Testing
import TestSupport

@testable import Commands

extension Tool {
  /// Runs a command of `platenctl` in this process, as a script runs it: without a terminal.
  static func platenctl(_ arguments: [String], socket: String) async throws -> Tool {
    let written = WrittenOutput()
    let exitCode = await Terminal.$output.withValue(written) {
      await ConnectionOptions.$environment.withValue(["PLATEN_SOCKET": socket]) {
        do {
          try await CommandRunner.perform(arguments)
          return Int32(0)
        } catch {
          written.explain(error)
          return Platenctl.exitCode(for: error).rawValue
        }
      }
    }
    return Tool(
      exitCode: exitCode, outputData: Data(written.output.utf8), complaint: written.complaint)
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
}

/// An answer as `curl` sees it, which knows nothing of this project.
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
      ["-sS", "-m", "300", "--unix-socket", server.socketPath, "-w", format] + arguments
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
