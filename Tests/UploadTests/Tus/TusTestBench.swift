import Foundation
import Testing
import TestSupport

@testable import Upload

/// A tus server with the targets and the proxies that lead to it.
struct TusTestBench {
  let server: StorageServer
  let files = TemporaryDirectory()

  /// Returns `seaweedfs`, `tussi` or `resumable-upload`, shared by all tests.
  static func shared(_ name: String) async throws -> TusTestBench {
    TusTestBench(server: try await StorageServer.shared(name))
  }

  /// The way in which the server learns an item's name.
  var naming: TusConfiguration.Naming { server.name == "seaweedfs" ? .path : .metadata }

  /// Makes a proxy in front of the server, and returns it with the server's URL behind it.
  func proxy() throws -> (proxy: FaultProxy, url: String) {
    let proxy = try FaultProxy(upstream: try server.port("tus"))
    let url = try server.url("tus")
    return (proxy, url.replacing(":\(try server.port("tus"))/", with: ":\(proxy.port)/"))
  }

  /// Makes a target with requests of a megabyte at most.
  func target(
    at url: String? = nil, patchByteCount: Int64 = 1_000_000,
    http: HTTPSettings = HTTPSettings()
  ) throws -> TusTarget {
    try TusTarget(
      TusConfiguration(
        url: try url ?? server.url("tus"), naming: naming, patchByteCount: patchByteCount,
        http: http))
  }

  /// Makes an item with a name of its own.
  func item(byteCount: Int = 2_500_003) async throws -> (delivery: PendingDelivery, bytes: [UInt8])
  {
    let bytes = somePicture(byteCount: byteCount)
    let id = UUID().uuidString.lowercased()
    return (
      try await files.delivery(
        id: String(id.prefix(8)), bytes: bytes, remoteName: "2026/11/\(id).jpg"), bytes
    )
  }

  /// Returns an item's bytes at the server, read in the server's own way; `nil` for none.
  func stored(_ delivery: PendingDelivery, _ receipt: Receipt) async throws -> [UInt8]? {
    switch server.name {
    case "seaweedfs": return try await get(server.url("filer") + delivery.remoteName)
    case "resumable-upload":
      // The receipt's URL may lead through a proxy.
      let path = try #require(URL(string: receipt.url)?.path)
      return try await get("http://127.0.0.1:\(server.port("tus"))\(path)")
    default:
      // tussi's demonstration moves a complete upload aside, which may be a moment later.
      let name = try #require(delivery.remoteName.split(separator: "/").last)
      let path = server.directory + "/data/store/\(name)"
      try await eventually { FileManager.default.fileExists(atPath: path) }
      return FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }
  }

  private func get(_ url: String) async throws -> [UInt8]? {
    let file = files.path + "/read-\(UUID().uuidString)"
    let status = try await run(
      "/usr/bin/curl",
      ["--silent", "--noproxy", "*", "--output", file, "--write-out", "%{http_code}", url])
    guard status == "200" else { return nil }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
  }
}
