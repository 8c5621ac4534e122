import Foundation
import TestSupport

/// A real `rclone serve webdav`, started and killed by `board/lib/servers`.
struct RcloneServer: ObjectServer, Sendable {
  /// The server's directory.
  let directory: TemporaryDirectory
  /// The URL of the server's root, with a slash at the end.
  let url: String

  /// The directory of the objects.
  var store: String { directory.path + "/store" }
}

/// Runs a body with a server that is killed afterwards.
func withRcloneServer(_ body: (RcloneServer) async throws -> Void) async throws {
  let script =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path + "/board/lib/servers"
  let directory = TemporaryDirectory()
  let url = try await run(script, ["start", "rclone-webdav", directory.path])
  let server = RcloneServer(
    directory: directory, url: url.trimmingCharacters(in: .whitespacesAndNewlines))
  do {
    try await body(server)
  } catch {
    try await run(script, ["kill", directory.path])
    throw error
  }
  try await run(script, ["kill", directory.path])
}
