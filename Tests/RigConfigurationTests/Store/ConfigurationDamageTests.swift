import API
import Foundation
import Testing
import TestSupport

@testable import RigConfiguration

/// A return to an earlier text when the card has lost or damaged files.
@Suite(.timeLimit(.minutes(10))) struct ConfigurationDamageTests {
  private static let good = """
    rig: { id: rig-1 }
    board: simulated
    camera:
      frame_rate: 30
    spool: { directory: /var/lib/platen }

    """
  private static let later = good.replacing("30", with: "25")
  private static let noText: [UInt8] = [0x72, 0xFF, 0xFE, 0x0A]

  /// Makes a file with one earlier text, number 1, which is also the last good one.
  private func withStore(
    _ body: (ConfigurationStore, _ path: String, _ history: String) async throws -> Void
  ) async throws {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let directory = place.path
    let path = directory + "/platen.yaml"
    try write(Array(Self.good.utf8), path)
    let store = ConfigurationStore(path: path)
    try await store.noteGood(hash: ConfigurationSource.hash(of: Self.good))
    _ = try await store.set(["camera.frame_rate": "25"], ifHash: nil)
    try await body(store, path, path + ".history")
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func contents(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { Array($0) }
  }

  @Test func `a missing file comes back with its permissions`() async throws {
    try await withStore { store, path, history in
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o604], ofItemAtPath: history + "/good.yaml")
      try FileManager.default.removeItem(atPath: path)
      let change = try await store.rollBack(to: nil, ifHash: nil)
      #expect(change == ConfigurationStore.Change(old: "", new: Self.good))
      #expect(contents(path) == Array(Self.good.utf8))
      #expect(FileOwner(of: path)?.permissions == 0o604)
      let numbers = await store.entries().map(\.number)
      #expect(numbers == [1, 0], "there was nothing to keep")
    }
  }

  @Test func `an undecodable file is replaced and kept aside`() async throws {
    try await withStore { store, path, history in
      try write(Self.noText, path)
      let difference = try await ConfigurationFile(store: store, running: nil)
        .configurationDifference(from: 1)
      #expect(difference.lines.contains("+board: simulated"))
      await #expect(throws: ConfigurationStore.Failure.self) {
        try await store.set(["camera.frame_rate": "20"], ifHash: nil)
      }
      _ = try await store.rollBack(
        to: 1, ifHash: ConfigurationSource.hash(of: Self.noText))
      #expect(contents(path) == Array(Self.good.utf8))
      #expect(contents(history + "/000001.damaged") == Self.noText)
      let numbers = await store.entries().map(\.number)
      #expect(numbers == [1, 0])
    }
  }

  @Test func `the number of files kept aside is limited`() async throws {
    try await withStore { store, path, history in
      for _ in 0..<13 {
        try write(Self.noText, path)
        _ = try await store.rollBack(to: nil, ifHash: nil)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: history).sorted()
      let damaged = names.filter { $0.hasSuffix(".damaged") }
      #expect(damaged.count == ConfigurationStore.limit && damaged.last == "000013.damaged")
    }
  }

  @Test func `a damaged earlier text hides no other text`() async throws {
    try await withStore { store, path, history in
      try write(Self.noText, history + "/000002.yaml")
      try FileManager.default.createDirectory(
        atPath: history + "/000003.yaml", withIntermediateDirectories: false)
      let file = ConfigurationFile(store: store, running: nil)
      let entries = try await file.configurationHistory().entries
      #expect(entries.map(\.number) == [3, 2, 1, 0])
      #expect(entries.map { $0.problem == nil } == [false, false, true, true])
      #expect(entries[1].problem == "it is neither UTF-8 nor UTF-16" && entries[1].bytes == 4)
      for number in [2, 3] {
        let error = await #expect(throws: APIError.self) {
          try await file.configurationDifference(from: number)
        }
        #expect(error?.code == .unavailable && error?.message.contains("00000\(number)") == true)
        await #expect(throws: APIError.self) {
          try await file.rollBackConfiguration(ConfigurationRollback(to: number))
        }
      }
      #expect(contents(path) == Array(Self.later.utf8))
      let back = try await store.rollBack(to: nil, ifHash: nil)
      #expect(back.new == Self.good, "the newest that is a text")
    }
  }

  @Test func `a damaged good text is replaced`() async throws {
    try await withStore { store, _, history in
      try write(Self.noText, history + "/good.yaml")
      try await store.noteGood(hash: ConfigurationSource.hash(of: Self.later))
      #expect(contents(history + "/good.yaml") == Array(Self.later.utf8))
    }
  }

  /// A file spoilt by hand, perhaps several times, goes back to the text that the service ran with.
  @Test func `a wrong file goes back to the last good text`() async throws {
    try await withStore { store, path, history in
      let newer = Self.good.replacing("30", with: "24")
      try write(Array(newer.utf8), history + "/000002.yaml")
      for wrong in [Self.good + "color: red\n", "rig: {", ""] {
        try write(Array(wrong.utf8), path)
        let change = try await store.rollBack(to: nil, ifHash: nil)
        #expect(change == ConfigurationStore.Change(old: wrong, new: Self.good))
      }
      // If the good text is unusable, the newest usable text is taken.
      try write(Self.noText, history + "/good.yaml")
      try write(Array("rig: {".utf8), path)
      try write(Array("board: [".utf8), history + "/000099.yaml")
      try write(Array(newer.utf8), history + "/000098.yaml")
      let change = try await store.rollBack(to: nil, ifHash: nil)
      #expect(change.new == newer)
    }
  }
}
