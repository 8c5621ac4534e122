import API
import Capture
import Devices
import Foundation
import TestSupport
import Testing

@testable import RigConfiguration

@Suite(.timeLimit(.minutes(10))) struct ConfigurationStoreTests {
  static let text = """
    # The rig in room 7.
    rig: { id: rig-1 }
    board: simulated
    camera:
      frame_rate: 30   # as the lamp flickers
    spool: { directory: /var/lib/platen }

    """

  /// Makes a store in a directory that is removed after the test.
  private func withStore(
    _ body: (ConfigurationStore, String) async throws -> Void
  ) async throws {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let directory = place.path
    let path = directory + "/platen.yaml"
    try Data(Self.text.utf8).write(to: URL(fileURLWithPath: path))
    try await body(ConfigurationStore(path: path), path)
  }

  private func contents(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test func `a change is written and the old text is kept`() async throws {
    try await withStore { store, path in
      let change = try await store.set(["camera.frame_rate": "25"], ifHash: nil)
      let wanted = Self.text.replacing("30   #", with: "25   #")
      #expect(change == ConfigurationStore.Change(old: Self.text, new: wanted))
      #expect(contents(path) == wanted)
      let entries = await store.entries()
      #expect(entries.map(\.number) == [1] && entries.map(\.text) == [Self.text])
      let back = try await store.rollBack(to: nil, ifHash: nil)
      #expect(back.new == Self.text && contents(path) == Self.text)
      let all = await store.entries()
      #expect(all.map(\.number) == [2, 1] && all.map(\.text) == [wanted, Self.text])
    }
  }

  /// A text as PowerShell writes it can be changed and rolled back as well.
  @Test func `a UTF-16 text is changed and kept like any other`() async throws {
    try await withStore { store, path in
      var bytes: [UInt8] = [0xFF, 0xFE]
      for unit in Self.text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let running = try PlatenConfiguration.load(path: path)
      try await store.noteGood(hash: try #require(running.source?.hash))
      let change = try await store.set(
        ["camera.frame_rate": "25"], ifHash: running.source?.hash)
      #expect(change.old == Self.text)
      let entries = await store.entries()
      #expect(entries.map(\.text) == [Self.text, Self.text] && entries.last?.number == 0)
      #expect(try await store.rollBack(to: 1, ifHash: nil).new == Self.text)
    }
  }

  @Test func `several keys are set together or not at all`() async throws {
    try await withStore { store, path in
      await #expect(throws: ConfigurationStore.Failure.self) {
        try await store.set(["camera.frame_rate": "25", "camera.ring_frames": "99"], ifHash: nil)
      }
      #expect(contents(path) == Self.text)
      let before = await store.entries()
      #expect(before.isEmpty)
      _ = try await store.set(["camera.frame_rate": "25", "camera.ring_frames": "9"], ifHash: nil)
      let configuration = try PlatenConfiguration.load(path: path)
      #expect(configuration.camera.session.settings.frameRate == 25)
      #expect(configuration.camera.session.stream.ringFrameCount == 9)
    }
  }

  @Test func `a file that has changed meanwhile is left alone`() async throws {
    try await withStore { store, path in
      let hash = ConfigurationSource.hash(of: Self.text)
      let other = Self.text + "# by hand\n"
      try Data(other.utf8).write(to: URL(fileURLWithPath: path))
      await #expect(
        throws: ConfigurationStore.Failure.changed(ConfigurationSource.hash(of: other))
      ) { try await store.set(["camera.zoom": "2"], ifHash: hash) }
      #expect(contents(path) == other)
      let change = try await store.set(
        ["camera.zoom": "2"], ifHash: ConfigurationSource.hash(of: other))
      #expect(change.new.contains("zoom: 2") && change.new.contains("# by hand"))
    }
  }

  @Test(arguments: ["targets.a.password", "api.token", "x.secret", "camera.client_private_key"])
  func `a secret is refused`(_ key: String) async throws {
    try await withStore { store, path in
      do {
        _ = try await store.set([key: "hunter2"], ifHash: nil)
        Issue.record("taken")
      } catch {
        #expect(!"\(error)".contains("hunter2"))
      }
      #expect(contents(path) == Self.text)
    }
  }

  @Test func `a rollback that would change reserved keys is refused`() async throws {
    try await withStore { store, path in
      _ = try await store.set(["camera.frame_rate": "25"], ifHash: nil)
      let edited = contents(path) + "api: { socket_group: people }\n"
      try Data(edited.utf8).write(to: URL(fileURLWithPath: path))
      let error = await #expect(throws: ConfigurationStore.Failure.self) {
        try await store.rollBack(to: 1, ifHash: nil)
      }
      #expect(
        error
          == .edit(
            ConfigurationEditError(key: "api.socket_group", problem: ReservedKeys.problem)))
      #expect(contents(path) == edited)
      // The reserved keys of an unusable file do not count.
      try Data((edited + "lens: 1\n").utf8).write(to: URL(fileURLWithPath: path))
      _ = try await store.rollBack(to: 1, ifHash: nil)
      #expect(contents(path) == Self.text)
    }
  }

  @Test func `the history is limited and the good text is kept apart`() async throws {
    try await withStore { store, path in
      try await store.noteGood(hash: ConfigurationSource.hash(of: Self.text))
      for rate in 1...13 {
        _ = try await store.set(["camera.frame_rate": "\(rate)"], ifHash: nil)
      }
      let entries = await store.entries()
      #expect(entries.map(\.number) == [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 0])
      #expect(entries.last?.text == Self.text)
      // A text other than the running one is not marked as good.
      try await store.noteGood(hash: ConfigurationSource.hash(of: Self.text))
      let good = await store.entries().last
      #expect(good?.text == Self.text)
      _ = try await store.rollBack(to: 0, ifHash: nil)
      #expect(contents(path) == Self.text)
      await #expect(throws: ConfigurationStore.Failure.unknown(3)) {
        try await store.rollBack(to: 3, ifHash: nil)
      }
    }
  }

  @Test func `a wrong file can be repaired`() async throws {
    try await withStore { store, path in
      let wrong = Self.text.replacing("30   #", with: "300   #")
      try Data(wrong.utf8).write(to: URL(fileURLWithPath: path))
      let change = try await store.set(["camera.frame_rate": "20"], ifHash: nil)
      #expect(change.new == Self.text.replacing("30   #", with: "20   #"))
      // But a rollback to an unusable text is refused.
      await #expect(throws: ConfigurationStore.Failure.self) {
        try await store.rollBack(to: 1, ifHash: nil)
      }
    }
  }

  @Test func `the owner and the permissions stay`() async throws {
    try await withStore { store, path in
      try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: path)
      if getuid() == 0 { #expect(chown(path, 12_345, 54_321) == 0) }
      _ = try await store.set(["camera.frame_rate": "25"], ifHash: nil)
      let owner = try #require(FileOwner(of: path))
      #expect(owner.permissions == 0o604)
      if getuid() == 0 { #expect(owner.userID == 12_345 && owner.groupID == 54_321) }
    }
  }

  @Test(.enabled(if: geteuid() == 0), arguments: [false, true])
  func `root follows a link where only root writes`(_ isShared: Bool) async throws {
    try await withStore { _, path in
      let link = path + ".link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
      #expect(chmod(directory, isShared ? 0o775 : 0o755) == 0)
      let store = ConfigurationStore(path: link)
      // Even when a file has taken the link's place meanwhile.
      if isShared {
        try FileManager.default.removeItem(atPath: link)
        try Data(Self.text.utf8).write(to: URL(fileURLWithPath: link))
        await #expect(throws: ConfigurationStore.Failure.self) {
          _ = try await store.set(["camera.frame_rate": "25"], ifHash: nil)
        }
      } else {
        _ = try await store.set(["camera.frame_rate": "25"], ifHash: nil)
      }
      #expect((contents(path) == Self.text) == isShared)
      #expect(contents(link).contains("frame_rate: \(isShared ? 30 : 25)"))
    }
  }

  @Test func `a new directory gets its owner and an old one or a link stays`() throws {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let (new, link) = (place.path + "/new", place.path + "/link")
    let owner = FileOwner(of: place.path)
    try SharedDirectory.make(new, like: owner?.with(0o750))
    #expect(FileOwner(of: new) == owner?.with(0o750))
    try SharedDirectory.make(new, like: owner?.with(0o700))
    #expect(FileOwner(of: new)?.permissions == 0o750)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: new)
    #expect(throws: DeviceError.self) { try SharedDirectory.make(link, like: nil) }
    try SharedDirectory.make(link, like: nil, followsLink: true)
  }

  @Test func `the API hides secrets and tells whether the file is the running one`() async throws {
    try await withStore { store, path in
      let running = ConfigurationSource(path: path, text: Self.text)
      let file = ConfigurationFile(store: store, running: running)
      let report = try await file.configurationFile()
      #expect(report.isRunning == true && report.issues.isEmpty && report.text == Self.text)
      let change = try await file.changeConfiguration(
        ConfigurationChange(set: ["camera.frame_rate": "25"], ifHash: report.hash))
      #expect(change.needsRestart && change.note.contains("next start"))
      #expect(
        change.lines.filter { !$0.hasPrefix(" ") } == [
          "-  frame_rate: 30   # as the lamp flickers",
          "+  frame_rate: 25   # as the lamp flickers",
        ])
      let back = try await file.rollBackConfiguration(ConfigurationRollback())
      #expect(!back.needsRestart)
      try Data("rig: { id: r }\npassword: hunter2\n".utf8).write(to: URL(fileURLWithPath: path))
      let wrong = try await file.configurationFile()
      #expect(!wrong.issues.isEmpty && wrong.isRunning == false)
      #expect(!"\(wrong)".contains("hunter2"))
    }
  }

  @Test func `a checked text is not reported as the running file`() async throws {
    try await withStore { store, path in
      let file = ConfigurationFile(store: store, running: nil)
      let report = await file.checkConfiguration("rig: { id: r }\nboard: linux\ncolor: red\n")
      #expect(report.issues.contains { $0.hasPrefix("text:3:1: \"color\"") })
      #expect(!report.issues.contains { $0.contains(path) })
      let named = report.naming("new.yaml")
      #expect(named.issues.contains { $0.hasPrefix("new.yaml:3:1: \"color\"") })
    }
  }
}
