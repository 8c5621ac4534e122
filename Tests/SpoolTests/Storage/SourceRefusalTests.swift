import Foundation
import Glibc
import Testing

@testable import Spool

/// Files that the spool refuses to take over, and faults on the way.
struct SourceRefusalTests {
  static let bytes = NewItem.sample(9, bytes: 5000).bytes

  let directory = TestDirectory()

  /// Opens a spool over a layer in which calls fail.
  func open(_ fault: @escaping @Sendable (FaultyFileSystem.Step) -> Int32?) async throws -> (
    spool: Spool, files: FaultyFileSystem
  ) {
    let files = FaultyFileSystem(root: directory.spool, fault: fault)
    let spool = try await Spool.open(
      directory.configuration(),
      environment: SpoolEnvironment(files: files, bootID: "b", random: { 0x42 }))
    return (spool, files)
  }

  /// Stores a file that is to be refused, and checks that nothing of it stays in the spool.
  @discardableResult
  func expectRefusal(
    _ path: String, _ spool: Spool, _ code: SpoolError.Code
  ) async throws -> SpoolError? {
    let before = TestDirectory.itemFiles(directory.spool)
    let error = await #expect(throws: SpoolError.self) {
      try await spool.store(.sample(1, file: path))
    }
    #expect(error?.code == code, "\(path)")
    #expect(error?.object == path)
    #expect(TestDirectory.itemFiles(directory.spool) == before)
    #expect(try await spool.counts().stored == 0)
    #expect(await spool.persistentFailure == nil)
    return error
  }

  @Test(
    arguments: [
      "mkdir 42", "link .*", "create .*mp4.part", "write .*mp4.part", "create .*json.part",
      "write .*json.part", "rename .*json", "rename .*mp4", "will enqueue.*",
    ])
  func `A file stays where it is when the disk is full`(pattern: String) async throws {
    let isElsewhere = pattern.hasSuffix("mp4.part")
    let trigger = Trigger()
    let (spool, _) = try await open { step in
      guard trigger.isArmed, let expression = try? Regex(pattern) else { return nil }
      if step.description.wholeMatch(of: expression) != nil { return ENOSPC }
      if isElsewhere, case .link = step { return EXDEV }
      return nil
    }
    let path = try directory.source(Self.bytes)
    try directory.removeShard("42")
    trigger.arm()
    try await expectRefusal(path, spool, .full)
    #expect(content(path) == Self.bytes)
    trigger.disarm()
    let stored = try await spool.store(.sample(1, file: path))
    #expect(content(stored.path) == Self.bytes)
    #expect(content(path) == nil)
    await spool.close()
  }

  @Test func `Only a plain regular file is taken`() async throws {
    let (spool, _) = try await open { _ in nil }
    let path = try directory.source(Self.bytes)
    let link = directory.sources + "/link"
    symlink(path, link)
    mkfifo(directory.sources + "/pipe", 0o600)
    let inside = directory.spool + "/items/video"
    try write("a", to: inside)
    for refused in [
      link, directory.sources, directory.sources + "/pipe", "/dev/null",
      try directory.source([], name: "empty"), directory.sources + "/missing", "video", "",
      directory.sources + "/../sources/video", directory.sources + "//video", inside,
    ] {
      let error = try await expectRefusal(refused, spool, .invalid)
      #expect(error?.description.contains("\"\(refused)\"") == true)
    }
    #expect(content(path) == Self.bytes)
    #expect(content(link) == Self.bytes)
    #expect(content(inside) == Array("a".utf8))
    await spool.close()
  }

  @Test(arguments: [false, true], [false, true])
  func `A file that changes while it is read is refused`(
    isElsewhere: Bool, grows: Bool
  ) async throws {
    let path = try directory.source(Self.bytes)
    let (spool, _) = try await open { step in
      if case .link = step, isElsewhere { return EXDEV }
      guard step == .read(path) else { return nil }
      truncate(path, grows ? 6000 : 100)
      return nil
    }
    try await expectRefusal(path, spool, .invalid)
    #expect(content(path)?.count == (grows ? 6000 : 100))
    await spool.close()
  }

  @Test(arguments: [false, true])
  func `Another file with the name is neither stored nor removed`(isElsewhere: Bool) async throws {
    let path = try directory.source(Self.bytes)
    let other = try directory.source(Array(Self.bytes.reversed()), name: "other")
    let (spool, _) = try await open { step in
      guard case .link = step else { return nil }
      rename(other, path)
      return isElsewhere ? EXDEV : nil
    }
    try await expectRefusal(path, spool, .invalid)
    #expect(content(path) == Array(Self.bytes.reversed()))
    await spool.close()
  }

  @Test func `A file that cannot be read is refused and ends nothing`() async throws {
    let path = try directory.source(Self.bytes)
    let (spool, _) = try await open { $0 == .read(path) ? EIO : nil }
    try await expectRefusal(path, spool, .unreadable)
    _ = try await spool.store(.sample(2))
    await spool.close()
  }

  @Test func `A failed fsync of a file is not retried and loses nothing`() async throws {
    let path = try directory.source(Self.bytes)
    let (spool, files) = try await open { $0 == .sync(path) ? EIO : nil }
    let error = await #expect(throws: SpoolError.self) {
      try await spool.store(.sample(1, file: path))
    }
    #expect(error?.code == .failed)
    let before = files.journal
    await #expect(throws: SpoolError.self) { try await spool.store(.sample(1, file: path)) }
    #expect(files.journal == before)
    #expect(await spool.persistentFailure == error)
    #expect(content(path) == Self.bytes)
    await spool.close()
  }

  @Test func `A file that stays after its item is stored once`() async throws {
    let path = try directory.source(Self.bytes)
    let (spool, _) = try await open { $0 == .unlink(path) ? EIO : nil }
    let stored = try await spool.store(.sample(1, file: path))
    #expect(content(path) == Self.bytes)
    let again = try await spool.store(.sample(1, file: path))
    #expect(try await spool.item(again.id)?.duplicateOf == stored.id)
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(delivery.id, receipt: .sample(delivery))
    #expect(try await spool.nextDelivery() == nil)
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    #expect(content(path) == Self.bytes)
    await spool.close()
  }
}
