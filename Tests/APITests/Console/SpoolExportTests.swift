import API
import Console
import Foundation
import Synchronization
import Testing
import TestSupport

extension ServerTests {
  /// Copies out of a spool, with `sha256sum` as the referee.
  @Suite struct SpoolExportTests {
    /// Makes a server with one picture of random bytes, and a directory to copy to.
    private func withPicture(
      sha256: String? = nil, state: String = "stored",
      _ body: (RigClient, SpoolItemReport, _ target: String) async throws -> Void
    ) async throws {
      try await withTemporaryDirectory { directory in
        var random = TestSeed.generator()
        let bytes = Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        let path = directory + "/000001-x.jpg"
        try bytes.write(to: URL(fileURLWithPath: path))
        let digest = try await Tool.run("/usr/bin/sha256sum", [path]).output.prefix(64)
        let item = SpoolSamples.item(
          1, state: state, path: path, sha256: sha256 ?? String(digest), bytes: 200_000)
        let rig = FakeRig()
        rig.holds(item)
        let target = directory + "/out"
        try FileManager.default.createDirectory(
          atPath: target, withIntermediateDirectories: false)
        try await withServer(rig) { try await body($0.client, item, target) }
      }
    }

    @Test func `a picture is copied once with its metadata`() async throws {
      try await withPicture { client, item, target in
        let export = SpoolExport(client, to: target)
        #expect(try await export.copy(item) == .copied)
        let digest = try await Tool.run("/usr/bin/sha256sum", [target + "/000001-x.jpg"]).output
        #expect(digest.hasPrefix(item.sha256))
        let notes = try Data(contentsOf: URL(fileURLWithPath: target + "/\(item.id).json"))
        #expect(try APICoding.decode(SpoolItemReport.self, from: notes) == item)
        #expect(try await export.copy(item) == .present)
      }
    }

    @Test func `a missing directory is reported once`() async throws {
      try await withPicture { client, _, target in
        let complaints = Mutex(0)
        let failure = await #expect(throws: SpoolExport.Failure.self) {
          _ = try await SpoolExport(client, to: target + "/none").copyAll { _ in
            complaints.withLock { $0 += 1 }
          }
        }
        let text = try #require(failure).description
        #expect(text == "\"\(target)/none\" cannot be written to: No such file or directory.")
        #expect(complaints.withLock { $0 } == 0)
      }
    }

    @Test func `a damaged picture is not copied`() async throws {
      try await withPicture(sha256: String(repeating: "0", count: 64)) { client, item, target in
        await #expect(throws: SpoolExport.Failure.self) {
          try await SpoolExport(client, to: target).copy(item)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: target)
        #expect(left.isEmpty)
      }
    }

    @Test func `a picture that cannot be copied does not end the export`() async throws {
      try await withPicture { client, item, target in
        var count = 0
        let rig = FakeRig()
        let lost = SpoolSamples.item(3, path: "/nowhere/3.jpg")
        let damaged = SpoolSamples.item(2, path: item.path, bytes: item.bytes)
        rig.holds(lost, damaged, item, SpoolSamples.item(4, state: "purged"))
        let result = try await withServer(rig) {
          try await SpoolExport($0.client, to: target).copyAll { _ in count += 1 }
        }
        #expect(result.copied == 1 && result.present == 0)
        #expect(result.failed == 2)
        #expect(count == 2)
      }
    }

    @Test func `another file of the same name is left alone`() async throws {
      try await withPicture { client, item, target in
        let path = target + "/000001-x.jpg"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: SpoolExport.Failure.self) {
          try await SpoolExport(client, to: target).copy(item)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
      }
    }

    @Test func `a proxy is copied under a name of its own`() async throws {
      try await withPicture { client, item, target in
        let proxy = SpoolSamples.item(
          1, path: item.path, sha256: item.sha256, bytes: item.bytes, isProxy: true)
        let outcome = try await SpoolExport(client, to: target).copy(proxy)
        #expect(outcome == .copied)
        #expect(FileManager.default.fileExists(atPath: target + "/000001-x-proxy.jpg"))
      }
    }

    @Test func `a picture without a file is reported`() async throws {
      try await withPicture(state: "purged") { client, item, target in
        let outcome = try await SpoolExport(client, to: target).copy(item)
        #expect(outcome == .withoutFile(state: "purged"))
      }
    }
  }
}
