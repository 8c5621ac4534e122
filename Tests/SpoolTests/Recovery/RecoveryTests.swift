import Devices
import Foundation
import Glibc
import Testing

@testable import Spool

/// Files that a crash, a person or a fault has left.
struct RecoveryTests {
  let directory = TestDirectory()

  /// Opens a second time and expects nothing to do.
  func expectSettled() async throws {
    let files = TestDirectory.itemFiles(directory.spool)
    let spool = try await directory.open()
    #expect(spool.recovery.isClean, "\(spool.recovery)")
    #expect(TestDirectory.itemFiles(directory.spool) == files)
    await spool.close()
  }

  /// Stores one picture and forgets its row.
  func orphan(_ number: Int = 1) async throws -> StoredItem {
    let spool = try await directory.open()
    let stored = try await spool.store(.sample(number))
    await spool.close()
    let sql = """
      DELETE FROM delivery WHERE item IN (SELECT sequence FROM item WHERE id = '\(stored.id)');
      DELETE FROM item WHERE id = '\(stored.id)';
      """
    #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
    return stored
  }

  func sidecar(_ item: StoredItem) -> String { item.path.replacing(".jpg", with: ".json") }

  @Test func `A picture without a row is adopted with the data of its sidecar`() async throws {
    let stored = try await orphan()
    let spool = try await directory.open()
    #expect(spool.recovery.adopted == 1)
    #expect(spool.recovery.adoptedWithoutSidecar == 0)
    let record = try #require(try await spool.item(pressNumber: 1))
    #expect(record.metadata == NewItem.sample(1).metadata)
    #expect(record.remoteName == stored.remoteName)
    #expect(try await spool.verifyForDelivery(stored.id) == .intact)
    #expect(try await spool.store(.sample(2)).id.sequence == 2)
    await spool.close()
    try await expectSettled()
  }

  @Test func `An adopted picture is forced to the disk before its row is`() async throws {
    let stored = try await orphan()
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
    await spool.close()
    let steps = files.journal.map(\.description)
    let start = try #require(steps.firstIndex(of: "sync \(stored.id).jpg"))
    #expect(
      steps[start...].prefix(5) == [
        "sync \(stored.id).jpg", "sync \(stored.id).json", "sync \(stored.id.shard)",
        "will adopt(1)", "did adopt(1)",
      ])
  }

  @Test(arguments: ["removed", "torn", "of another item", "newer"])
  func `A picture without a good sidecar is adopted, too`(fault: String) async throws {
    let stored = try await orphan()
    let path = sidecar(stored)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try FileManager.default.removeItem(atPath: path)
    let changed: String? =
      switch fault {
      case "torn": String(text.prefix(50))
      case "of another item": text.replacing("000001-0000000001", with: "000001-0000000002")
      case "newer": text.replacing(#""schema":1"#, with: #""schema":2"#)
      default: nil
      }
    if let changed { try Data(changed.utf8).write(to: URL(fileURLWithPath: path)) }
    let spool = try await directory.open()
    #expect(spool.recovery.adopted == 1)
    #expect(spool.recovery.adoptedWithoutSidecar == 1)
    let record = try #require(try await spool.item(stored.id))
    #expect(record.state == .stored)
    #expect(record.sha256 == stored.sha256)
    #expect(record.metadata.pressNumber == nil)
    #expect(record.metadata.captured.wallTrust == .unknown)
    #expect(record.remoteName.hasPrefix("rig-1/"))
    #expect(record.remoteName.hasSuffix("\(stored.id)-\(stored.sha256.prefix(16)).jpg"))
    #expect(FileManager.default.fileExists(atPath: path))
    await spool.close()
    try await expectSettled()
    // The old text of the sidecar is kept.
    let kept = FileManager.default.contents(
      atPath: directory.spool + "/quarantine/\(stored.id).json")
    #expect(kept == changed.map { Data($0.utf8) })
  }

  @Test(arguments: ["flip", "short", "empty"])
  func `A damaged picture without a row is quarantined`(fault: String) async throws {
    let stored = try await orphan()
    var bytes = try #require(FileManager.default.contents(atPath: stored.path))
    switch fault {
    case "flip": bytes[5] ^= 1
    case "short": bytes.removeLast(100)
    default: bytes = Data()
    }
    try bytes.write(to: URL(fileURLWithPath: stored.path))
    let spool = try await directory.open()
    #expect(spool.recovery.quarantined == 1)
    #expect(try await spool.item(stored.id)?.quarantineReason == .damaged)
    #expect(try await spool.nextDelivery() == nil)
    #expect(
      FileManager.default.contents(atPath: directory.spool + "/quarantine/\(stored.id).jpg")
        == bytes)
    await spool.close()
    try await expectSettled()
  }

  @Test(arguments: ["image", "both", "short"])
  func `A row whose picture is missing or short is quarantined`(fault: String) async throws {
    let spool = try await directory.open()
    let bad = try await spool.store(.sample(1))
    let good = try await spool.store(.sample(2))
    await spool.close()
    if fault == "short" {
      #expect(truncate(bad.path, 10) == 0)
    } else {
      try FileManager.default.removeItem(atPath: bad.path)
    }
    if fault == "both" { try FileManager.default.removeItem(atPath: sidecar(bad)) }
    let again = try await directory.open()
    #expect(again.recovery.quarantined == 1)
    #expect(
      try await again.item(bad.id)?.quarantineReason == (fault == "short" ? .damaged : .missing))
    #expect(try await again.nextDelivery()?.id == good.id)
    #expect(try await again.counts().quarantined == 1)
    await again.close()
    try await expectSettled()
  }

  @Test func `A missing sidecar of a queued picture is written again`() async throws {
    let spool = try await directory.open()
    let stored = try await spool.store(.sample(1))
    await spool.close()
    let before = FileManager.default.contents(atPath: sidecar(stored))
    try FileManager.default.removeItem(atPath: sidecar(stored))
    let again = try await directory.open()
    #expect(again.recovery.restoredSidecars == 1)
    #expect(FileManager.default.contents(atPath: sidecar(stored)) == before)
    await again.close()
    try await expectSettled()
  }

  @Test func `Files of a delivered item are removed`() async throws {
    let spool = try await directory.open()
    let stored = try await spool.store(.sample(1))
    let kept = try [stored.path, sidecar(stored)].map {
      ($0, try #require(FileManager.default.contents(atPath: $0)))
    }
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(stored.id, receipt: .sample(delivery))
    await spool.close()
    for (path, bytes) in kept { try bytes.write(to: URL(fileURLWithPath: path)) }
    let again = try await directory.open()
    #expect(again.recovery.removedDelivered == 1)
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    #expect(try await again.nextDelivery() == nil)
    await again.close()
    try await expectSettled()
  }

  @Test func `Half-written files are removed and a lonely sidecar is kept`() async throws {
    let stored = try await orphan()
    let shard = (stored.path as NSString).deletingLastPathComponent
    try FileManager.default.moveItem(
      atPath: stored.path, toPath: shard + "/.\(stored.id).jpg.part")
    try write("{", to: shard + "/.\(stored.id).json.part")
    try write("{", to: directory.spool + "/.numbers.json.part")
    let spool = try await directory.open()
    #expect(spool.recovery.removedParts == 2)
    #expect(spool.recovery.lonelySidecars == 1)
    #expect(TestDirectory.itemFiles(directory.spool) == ["quarantine/\(stored.id).json"])
    #expect(try await spool.counts().stored == 0)
    await spool.close()
    try await expectSettled()
  }

  @Test func `Foreign files are left alone`() async throws {
    let spool = try await directory.open()
    let stored = try await spool.store(.sample(1))
    await spool.close()
    let shard = (stored.path as NSString).deletingLastPathComponent
    let name = (shard as NSString).lastPathComponent
    func id(_ number: Int64) -> ItemID {
      ItemID(boot: 9, sequence: number, random: UInt64(name, radix: 16) ?? 0)
    }
    let manager = FileManager.default
    for text in ["notes.txt", ".hidden", "\(stored.id).jpg.bak", "thumbs.db", "\(id(1)).JPG"] {
      try write("x", to: shard + "/" + text)
    }
    try manager.createSymbolicLink(
      atPath: shard + "/\(id(2)).jpg", withDestinationPath: "/etc/passwd")
    try manager.createSymbolicLink(
      atPath: shard + "/.\(id(3)).jpg.part", withDestinationPath: stored.path)
    try manager.createDirectory(
      atPath: shard + "/\(id(4)).jpg", withIntermediateDirectories: false)
    #expect(mkfifo(shard + "/\(id(5)).jpg", 0o600) == 0)
    let isRoot = geteuid() == 0
    // A device node: the machine's own null device under a picture's name.
    if isRoot { #expect(mknod(shard + "/\(id(7)).jpg", S_IFCHR | 0o600, dev_t(0x103)) == 0) }
    try manager.createDirectory(
      atPath: directory.spool + "/items/zz", withIntermediateDirectories: false)
    try write("x", to: directory.spool + "/items/zz/\(id(6)).jpg")
    let other = name == "00" ? "01" : "00"
    try directory.removeShard(other)
    try manager.createSymbolicLink(
      atPath: directory.spool + "/items/" + other, withDestinationPath: shard)
    let before = try manager.subpathsOfDirectory(atPath: directory.spool).sorted()
    let again = try await directory.open()
    #expect(again.recovery.foreign == (isRoot ? 10 : 9))
    #expect(again.recovery.isClean)
    #expect(try await again.recentItems(limit: 10).map(\.id) == [stored.id])
    await again.close()
    #expect(try manager.subpathsOfDirectory(atPath: directory.spool).sorted() == before)
  }

  @Test func `The quarantine overwrites nothing`() async throws {
    let stored = try await orphan()
    let quarantine = directory.spool + "/quarantine/"
    for name in ["\(stored.id).jpg", "2-\(stored.id).jpg"] {
      try write("older", to: quarantine + name)
    }
    try Data("torn".utf8).write(to: URL(fileURLWithPath: stored.path))
    let spool = try await directory.open()
    #expect(spool.recovery.quarantined == 1)
    await spool.close()
    let texts = try ["", "2-", "3-"].map {
      try String(contentsOfFile: quarantine + $0 + "\(stored.id).jpg", encoding: .utf8)
    }
    #expect(texts == ["older", "older", "torn"])
  }

  @Test func `Many pictures are adopted in their order`() async throws {
    let spool = try await directory.open()
    var stored: [StoredItem] = []
    for number in 1...60 { stored.append(try await spool.store(.sample(number))) }
    await spool.close()
    try FileManager.default.removeItem(atPath: directory.spool + "/queue.db")
    let again = try await directory.open()
    #expect(again.recovery.adopted == 60)
    var order: [ItemID] = []
    while let delivery = try await again.nextDelivery() { order.append(delivery.id) }
    #expect(order == stored.map(\.id))
    await again.close()
    try await expectSettled()
  }

  @Test func `A directory that is a file is refused`() async throws {
    try write("", to: directory.spool)
    let error = await #expect(throws: SpoolError.self) { _ = try await directory.open() }
    #expect(error?.code == .unusable)
    let missing = directory.configuration { $0.directory += "/a/b" }
    await #expect(throws: SpoolError.self) {
      _ = try await Spool.open(missing, environment: SpoolEnvironment())
    }
  }
}
