import Foundation
import Testing
import TestSupport

/// A real nginx with WebDAV, started and stopped by `board/lib/receiver`.
struct ReceivingServer: ObjectServer, Sendable {
  /// The server's directory.
  let directory: TemporaryDirectory
  /// The URL of the server's root, with a slash at the end.
  let url: String

  /// The directory of the objects.
  var store: String { directory.path + "/store" }

  /// The port of the URL.
  var port: UInt16 { UInt16(url.dropLast().split(separator: ":").last ?? "") ?? 0 }

  /// Starts a server.
  ///
  /// - Parameter changes: replacements in nginx's configuration.
  static func start(
    in directory: TemporaryDirectory = TemporaryDirectory(), port: UInt16? = nil,
    changes: [String: String] = [:]
  ) async throws -> ReceivingServer {
    var environment: [String: String] = [:]
    if !changes.isEmpty {
      var template = try String(contentsOfFile: script + ".conf", encoding: .utf8)
      for (old, new) in changes {
        try #require(template.contains(old))
        template = template.replacing(old, with: new)
      }
      let file = directory.path + "/template"
      try template.write(toFile: file, atomically: false, encoding: .utf8)
      environment["RECEIVER_TEMPLATE"] = file
    }
    let output = try await run(
      script, ["start", directory.path] + (port.map { ["\($0)"] } ?? []), environment)
    return ReceivingServer(
      directory: directory, url: output.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Stops the server; its objects stay.
  func stop() async throws {
    try await run(Self.script, ["stop", directory.path])
  }

  /// Puts an object where a client would find it.
  func place(_ bytes: [UInt8], as name: String) throws {
    let url = URL(fileURLWithPath: store + "/" + name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  private static let script =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path + "/board/lib/receiver"
}

/// Runs a body with a server that is stopped afterwards.
func withReceivingServer(
  changes: [String: String] = [:], _ body: (ReceivingServer) async throws -> Void
) async throws {
  let server = try await ReceivingServer.start(changes: changes)
  do {
    try await body(server)
  } catch {
    try await server.stop()
    throw error
  }
  try await server.stop()
}

/// Runs a program to its end and returns its output.
///
/// - Throws: ``Tool/Failure`` when the status is not 0.
@discardableResult
func run(
  _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
) async throws -> String {
  try await Tool.run(program, arguments, environment: environment)
    .whenItSucceeded(program, arguments).output
}
