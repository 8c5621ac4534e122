import Foundation
import TestSupport

/// A scripted endpoint that processes pictures, started and stopped by `board/lib/processor`.
struct ProcessingPeer: Sendable {
  /// A request to the endpoint, as Python's standard library reads it.
  struct Request: Decodable {
    var path: String
    var headers: [String: String]?
    var fields: [String: String]?
    var fileType: String?
    var fileName: String?
    var byteCount: Int?
    var sha256: String?
    var bodyByteCount: Int?
    /// The bytes of an endless answer that were sent before the client ended it.
    var sentByteCount: Int?
  }

  let directory = TemporaryDirectory()
  /// The URL of the endpoint's root, with a slash at the end.
  let url: String

  init() async throws {
    url = try await run(Self.script, ["start", directory.path])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The port of the URL.
  var port: UInt16 { UInt16(url.dropLast().split(separator: ":").last ?? "") ?? 0 }

  func stop() async throws { try await run(Self.script, ["stop", directory.path]) }

  /// Returns the requests so far.
  func requests() throws -> [Request] {
    let text = try String(contentsOfFile: directory.path + "/requests.jsonl", encoding: .utf8)
    return try text.split(separator: "\n").map {
      try JSONDecoder().decode(Request.self, from: Data($0.utf8))
    }
  }

  private static let script =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path + "/board/lib/processor"
}

/// Runs a body with an endpoint that is stopped afterwards.
func withProcessingPeer(_ body: (ProcessingPeer) async throws -> Void) async throws {
  let peer = try await ProcessingPeer()
  do {
    try await body(peer)
  } catch {
    try await peer.stop()
    throw error
  }
  try await peer.stop()
}
