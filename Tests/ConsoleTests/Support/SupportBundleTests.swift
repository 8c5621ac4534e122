import API
import Devices
import Foundation
import TestSupport
import Testing

@testable import Console

/// The bundle of a rig whose service hangs, and the reasons for its missing parts.
@Suite(.timeLimit(.minutes(10))) struct SupportBundleTests {
  private func source(_ socket: String, clock: ManualClock) -> SupportSource {
    SupportSource(
      RigClient(socketPath: socket), configuration: "/nowhere/platen.yaml",
      local: .failure(LocalProgram.Failure(description: "There is no program.")), clock: clock)
  }

  private func reason(
    _ ask: () async throws(Unavailable) -> [UInt8]
  ) async -> String? {
    do throws(Unavailable) {
      _ = try await ask()
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `a hanging service is asked once`() async throws {
    let (socket, clock) = (try SilentSocket(), ManualClock())
    let source = source(socket.path, clock: clock)
    async let first = reason { () async throws(Unavailable) in
      try await source.service(.init(Operations.status))
    }
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(20))
    let said = await first
    #expect(said == "The service did not answer to /v1/status within 20 s.")
    // The service is not asked again.
    let again = await reason { () async throws(Unavailable) in
      try await source.either(.init(Operations.time), ["--look", "time"])
    }
    #expect(again == "\(said ?? "") Without it: There is no program.")
  }

  @Test func `the manifest lists present and missing parts`() async throws {
    let source = source("/nowhere/s", clock: ManualClock())
    let parts = [
      SupportPart(name: "b.txt", form: .text, maximumBytes: 8) { _ throws(Unavailable) in
        Array("one\ntwo\nthree\n".utf8)
      },
      SupportPart(name: "a.txt", form: .text) { _ throws(Unavailable) in
        throw Unavailable("It may not be read: https://bob:hunter2@host/.")
      },
      SupportPart(name: "c.json", form: .json) { source throws(Unavailable) in
        try await source.service(.init(Operations.status))
      },
    ]
    var steps: [String] = []
    let bundle = try await SupportBundle.collect(
      parts, from: source, time: Date(timeIntervalSince1970: 0)
    ) { steps.append("\($0)/\($1) \($2)") }
    #expect(steps == ["0/3 b.txt", "1/3 a.txt", "2/3 c.json"])
    #expect(bundle.files.map(\.name) == ["b.txt", "manifest.json"])
    #expect(bundle.manifest.parts.map(\.cutBytes) == [6])
    #expect(bundle.manifest.missing.map(\.name) == ["a.txt", "c.json"])
    #expect(
      bundle.manifest.missing.first?.reason == "It may not be read: https://(redacted)@host/.")
    #expect(bundle.manifest.missing.last?.reason.contains("does not answer") == true)
    #expect(bundle.manifest.made == "1970-01-01T00:00:00Z")
  }

  @Test func `an existing file is left alone`() async throws {
    let source = source("/nowhere/s", clock: ManualClock())
    let bundle = try await SupportBundle.collect([], from: source, time: Date()) { _, _, _ in }
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let directory = place.path
    let scratch: String
    do {
      let archive = try await SupportArchive(bundle)
      scratch = (archive.path as NSString).deletingLastPathComponent
      let first = try archive.copy(to: directory)
      #expect(first == directory + "/" + archive.name)
      #expect(throws: SupportArchive.Failure.self) { try archive.copy(to: directory) }
      #expect(throws: SupportArchive.Failure.self) { try archive.copy(to: directory + "/no/x") }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(names == [archive.name])
      let data = try Data(contentsOf: URL(fileURLWithPath: first))
      #expect(Int64(data.count) == archive.bytes)
      let mode = try FileManager.default.attributesOfItem(atPath: scratch)[.posixPermissions]
      #expect(mode as? Int == 0o700)
    }
    #expect(!FileManager.default.fileExists(atPath: scratch))
  }
}
