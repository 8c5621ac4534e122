import Foundation
import Testing
import TestSupport

/// A real server to upload to, started and stopped by `board/lib/servers`.
///
/// The server lives no longer than this process, however the process ends.
struct StorageServer: Sendable {
  /// The server's name, for example `seaweedfs`.
  let name: String
  /// The directory of the server's data.
  let directory: String
  /// The server's URLs by the name of the protocol, which is empty for a single URL.
  let urls: [String: String]

  /// Starts a server of its own for a test, or restarts one that was killed.
  static func start(_ name: String, in directory: String? = nil) async throws -> StorageServer {
    let directory =
      directory
      ?? FileManager.default.temporaryDirectory.path + "/server-\(UUID().uuidString.prefix(8))"
    let output = try await run(
      script, ["start", name, directory, "\(ProcessInfo.processInfo.processIdentifier)"])
    var urls: [String: String] = [:]
    for line in output.split(separator: "\n") {
      let pair = line.split(separator: "=", maxSplits: 1).map(String.init)
      urls[pair.count == 2 ? pair[0] : ""] = pair.last
    }
    return StorageServer(name: name, directory: directory, urls: urls)
  }

  /// Returns the server with a name, shared by all tests of a run.
  static func shared(_ name: String) async throws -> StorageServer {
    try await SharedServers.all.server(name)
  }

  /// Returns the URL of a protocol.
  func url(_ kind: String) throws -> String { try #require(urls[kind] ?? urls[""]) }

  /// Returns the port of a protocol's URL.
  func port(_ kind: String) throws -> UInt16 {
    try #require(URL(string: try url(kind))?.port.flatMap { UInt16(exactly: $0) })
  }

  /// Ends the server as a crash does.
  func kill() async throws { try await run(Self.script, ["kill", directory]) }

  /// Ends the server and removes its data.
  func remove() async throws {
    try await kill()
    try FileManager.default.removeItem(atPath: directory)
  }

  /// Returns the path of a Python that has botocore.
  static func python() async throws -> String {
    try await run(script, ["python"]).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static let script = repository + "/board/lib/servers"
}

/// An actor that starts each server once.
private actor SharedServers {
  static let all = SharedServers()
  private var starts: [String: Task<StorageServer, any Error>] = [:]

  func server(_ name: String) async throws -> StorageServer {
    let start = starts[name] ?? Task { try await StorageServer.start(name) }
    starts[name] = start
    return try await start.value
  }
}

/// The folder of the whole repository.
let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// A reader of objects with `curl`, which signs its requests by itself.
struct ObjectReader {
  /// The URL of the bucket, with a slash at the end.
  var bucket: String
  var accessKeyID = "admin-key"
  var secretAccessKey = "admin-secret"

  /// Returns the bytes of an object; `nil` when there is none.
  func object(_ key: String) async throws -> [UInt8]? {
    let file = TemporaryDirectory()
    let path = file.path + "/object"
    let status = try await curl(key, ["--output", path, "--write-out", "%{http_code}"])
    guard status == "200" else { return nil }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Returns the head of the answer for an object, in lower case.
  func head(_ key: String) async throws -> String {
    try await curl(key, ["--head", "--header", "x-amz-checksum-mode: ENABLED"]).lowercased()
  }

  /// Stores an object.
  func place(_ bytes: [UInt8], as key: String) async throws {
    let file = TemporaryDirectory()
    let path = file.path + "/object"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try await curl(
      key, ["--fail", "--upload-file", path, "--header", "x-amz-content-sha256: UNSIGNED-PAYLOAD"])
  }

  @discardableResult
  func curl(_ key: String, _ arguments: [String]) async throws -> String {
    try await run(
      "/usr/bin/curl",
      [
        "--silent", "--noproxy", "*", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user",
        "\(accessKeyID):\(secretAccessKey)",
      ] + arguments + [bucket + key])
  }
}
