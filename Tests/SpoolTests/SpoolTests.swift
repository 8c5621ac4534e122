import Foundation
import Testing

@testable import Spool

struct SpoolTests {
  let directory = TestDirectory()

  func open(
    _ change: (inout SpoolConfiguration) -> Void = { _ in },
    environment: SpoolEnvironment = SpoolEnvironment()
  ) async throws -> Spool {
    try await Spool.open(directory.configuration(change), environment: environment)
  }

  @Test func `A picture is stored, delivered and forgotten in that order`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(
      environment: SpoolEnvironment(files: files, bootID: "b", random: { 0x42 }))
    let opening = files.journal.count
    let stored = try await spool.store(.sample(1))
    let id = stored.id
    #expect(
      files.journal.dropFirst(opening).map(\.description) == [
        "create .\(id).jpg.part", "write .\(id).jpg.part", "sync .\(id).jpg.part",
        "create .\(id).json.part", "write .\(id).json.part", "sync .\(id).json.part",
        "rename .\(id).json.part \(id).json", "rename .\(id).jpg.part \(id).jpg", "sync 42",
        "will enqueue(\(id))", "did enqueue(\(id))",
      ])
    let storing = files.journal.count
    let delivery = try #require(try await spool.nextDelivery())
    #expect(try await spool.verifyForDelivery(id) == .intact)
    try await spool.complete(id, receipt: .sample(delivery))
    #expect(
      files.journal.dropFirst(storing).map(\.description) == [
        "will done(\(id))", "did done(\(id))", "unlink \(id).jpg", "unlink \(id).json",
      ])
    await spool.close()
  }

  @Test func `A picture is stored as it was given`() async throws {
    let spool = try await open()
    let item = NewItem.sample(3, bytes: 1_000_000)
    let stored = try await spool.store(item)
    #expect(FileManager.default.contents(atPath: stored.path).map { Array($0) } == item.bytes)
    #expect(stored.byteCount == 1_000_000)
    #expect(stored.id.sequence == 1)
    #expect(stored.id.boot == 1)
    #expect(
      stored.remoteName == "rig-1/2026/11/21/\(stored.id)-\(stored.sha256.prefix(16)).jpg")
    let record = try #require(try await spool.item(pressNumber: 3))
    #expect(record.id == stored.id)
    #expect(record.state == .stored)
    #expect(record.metadata == item.metadata)
    #expect(record.sha256 == stored.sha256)
    #expect(record.remoteName == stored.remoteName)
    #expect(record.path == stored.path)
    #expect(try await spool.item(stored.id) == record)
    #expect(try await spool.item(pressNumber: 4) == nil)
    await spool.close()
  }

  @Test func `Directories and files are for the owner and the group`() async throws {
    let spool = try await open()
    let stored = try await spool.store(.sample(1))
    await spool.close()
    for (path, mode) in [
      (directory.spool, 0o750), (directory.spool + "/items", 0o750),
      (directory.spool + "/quarantine", 0o750), (directory.spool + "/queue.db", 0o640),
      (directory.spool + "/numbers.json", 0o640), (stored.path, 0o640),
      (stored.path.replacing(".jpg", with: ".json"), 0o640),
      ((stored.path as NSString).deletingLastPathComponent, 0o750),
    ] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      // The test's umask may take more away.
      #expect((attributes[.posixPermissions] as? Int).map { $0 & ~mode } == 0, "\(path)")
    }
  }

  @Test func `Deliveries come in the order of storing, each claimed once`() async throws {
    let spool = try await open()
    var stored: [ItemID] = []
    for number in 1...5 { stored.append(try await spool.store(.sample(number)).id) }
    var claimed: [ItemID] = []
    while let delivery = try await spool.nextDelivery() { claimed.append(delivery.id) }
    #expect(claimed == stored)
    #expect(
      try await spool.counts()
        == SpoolCounts(stored: 0, delivering: 5, delivered: 0, quarantined: 0, bytesWaiting: 1500))
    await spool.release(stored[3])
    await spool.release(stored[1])
    #expect(try await spool.nextDelivery()?.id == stored[1])
    #expect(try await spool.nextDelivery()?.id == stored[3])
    #expect(try await spool.nextDelivery() == nil)
    await spool.close()
    // A claim does not outlive the process.
    let again = try await open()
    #expect(try await again.nextDelivery()?.id == stored[0])
    await again.close()
  }

  @Test func `A failed attempt is counted and kept, and the item stays first`() async throws {
    let spool = try await open()
    let first = try await spool.store(.sample(1))
    _ = try await spool.store(.sample(2))
    for attempt in 0..<3 {
      let delivery = try #require(try await spool.nextDelivery())
      #expect(delivery.id == first.id)
      #expect(delivery.attempts == attempt)
      #expect(delivery.remoteName == first.remoteName)
      let failure = DeliveryFailure(
        code: "refused", message: String(repeating: "x", count: 5000), httpStatus: 500 + attempt)
      try await spool.recordAttempt(first.id, failure: failure)
    }
    await spool.close()
    let again = try await open()
    let record = try #require(try await again.item(first.id)?.deliveries.first)
    #expect(record.attempts == 3)
    #expect(record.lastFailure?.httpStatus == 502)
    #expect(record.lastFailure?.message.count == 1024)
    #expect(record.receipt == nil)
    await again.close()
  }

  @Test func `A delivered item leaves its row and its receipt`() async throws {
    let spool = try await open()
    let stored = try await spool.store(.sample(1))
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(stored.id, receipt: .sample(delivery))
    // The server's answer may come twice.
    try await spool.complete(stored.id, receipt: .sample(delivery))
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    let record = try #require(try await spool.item(stored.id))
    #expect(record.state == .delivered)
    #expect(record.deliveries.map(\.receipt) == [.sample(delivery)])
    #expect(
      try await spool.counts()
        == SpoolCounts(stored: 0, delivering: 0, delivered: 1, quarantined: 0, bytesWaiting: 0))
    #expect(try await spool.nextDelivery() == nil)
    await #expect(throws: SpoolError.self) { try await spool.verifyForDelivery(stored.id) }
    await spool.close()
  }

  @Test func `Files stay until every target has the item`() async throws {
    let backup = TargetID(rawValue: "backup")
    let spool = try await open { $0.targets = [.primary, backup] }
    let stored = try await spool.store(.sample(1))
    let first = try #require(try await spool.nextDelivery(target: backup))
    try await spool.complete(first.id, receipt: .sample(first), target: backup)
    #expect(TestDirectory.itemFiles(directory.spool).count == 2)
    #expect(try await spool.item(stored.id)?.state == .stored)
    #expect(try await spool.nextDelivery(target: backup) == nil)
    let second = try #require(try await spool.nextDelivery())
    try await spool.complete(second.id, receipt: .sample(second))
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    #expect(try await spool.item(stored.id)?.state == .delivered)
    await spool.close()
  }

  @Test func `A receipt for other bytes is refused`() async throws {
    let spool = try await open()
    let stored = try await spool.store(.sample(1))
    var wrong = Receipt.sample(try #require(try await spool.nextDelivery()))
    wrong.sha256 = String(repeating: "0", count: 64)
    let receipt = wrong
    let error = await #expect(throws: SpoolError.self) {
      try await spool.complete(stored.id, receipt: receipt)
    }
    #expect(error?.code == .invalid)
    #expect(TestDirectory.itemFiles(directory.spool).count == 2)
    await spool.close()
  }

  @Test(arguments: ["flip", "truncate", "empty", "remove", "symlink", "directory"])
  func `A damaged picture is quarantined and the others flow`(fault: String) async throws {
    let spool = try await open()
    let bad = try await spool.store(.sample(1))
    let good = try await spool.store(.sample(2))
    let manager = FileManager.default
    var bytes = try #require(manager.contents(atPath: bad.path))
    switch fault {
    case "flip": bytes[17] ^= 4
    case "truncate": bytes.removeLast()
    case "empty": bytes = Data()
    default: break
    }
    try manager.removeItem(atPath: bad.path)
    switch fault {
    case "remove": break
    case "symlink":
      try manager.createSymbolicLink(atPath: bad.path, withDestinationPath: good.path)
    case "directory":
      try manager.createDirectory(atPath: bad.path, withIntermediateDirectories: false)
    default: try bytes.write(to: URL(fileURLWithPath: bad.path))
    }
    let isThere = ["flip", "truncate", "empty"].contains(fault)
    let delivery = try #require(try await spool.nextDelivery())
    #expect(delivery.id == bad.id)
    let reason: QuarantineReason = isThere ? .damaged : .missing
    #expect(try await spool.verifyForDelivery(bad.id) == .quarantined(reason))
    #expect(try await spool.verifyForDelivery(bad.id) == .quarantined(reason))
    #expect(try await spool.nextDelivery()?.id == good.id)
    #expect(try await spool.verifyForDelivery(good.id) == .intact)
    #expect(
      try await spool.counts()
        == SpoolCounts(stored: 0, delivering: 1, delivered: 0, quarantined: 1, bytesWaiting: 300))
    let quarantine = try manager.contentsOfDirectory(atPath: directory.spool + "/quarantine")
    #expect(quarantine.contains("\(bad.id).json"))
    #expect(quarantine.contains("\(bad.id).jpg") == isThere)
    let record = try #require(try await spool.item(bad.id))
    #expect(record.state == .quarantined)
    #expect(record.quarantineReason == reason)
    await #expect(throws: SpoolError.self) {
      try await spool.recordAttempt(bad.id, failure: DeliveryFailure(code: "x", message: "x"))
    }
    await spool.close()
  }

  @Test func `Press numbers are never given out twice`() async throws {
    var next: Int64 = 1
    for _ in 0..<5 {
      let spool = try await open()
      for count in [1, 16, 1000, 3] {
        let range = try await spool.reservePressNumbers(count: count)
        #expect(range.lowerBound == next)
        #expect(range.count == count)
        next = range.upperBound
      }
      await spool.close()
    }
    let spool = try await open()
    for count in [0, -1, 1_000_001] {
      await #expect(throws: SpoolError.self) {
        try await spool.reservePressNumbers(count: count)
      }
    }
    await spool.close()
  }

  @Test func `Every boot has its own number`() async throws {
    var boots: [Int64] = []
    for boot in ["a", "a", "b", "c", "c"] {
      let spool = try await open(environment: SpoolEnvironment(bootID: boot))
      boots.append(try await spool.store(.sample(1)).id.boot)
      await spool.close()
    }
    #expect(boots == [1, 1, 2, 3, 3])
  }

  @Test func `Events reach a listener and end with the spool`() async throws {
    let spool = try await open()
    let stream = await spool.events()
    let stored = try await spool.store(.sample(1))
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(stored.id, receipt: .sample(delivery))
    await spool.close()
    var events: [SpoolEvent] = []
    for await event in stream { events.append(event) }
    #expect(
      events == [
        .queue(.primary, QueueState(hasPending: true)), .stored(stored.id),
        .queue(.primary, QueueState()), .delivered(stored.id),
      ])
    for await _ in await spool.events() { Issue.record("a closed spool has no events") }
  }

  @Test func `The newest items come first`() async throws {
    let spool = try await open()
    for number in 1...7 { _ = try await spool.store(.sample(number)) }
    let recent = try await spool.recentItems(limit: 3)
    #expect(recent.map(\.metadata.pressNumber) == [7, 6, 5])
    #expect(try await spool.recentItems(limit: 0) == [])
    #expect(try await spool.recentItems(limit: -1) == [])
    await spool.close()
  }

  @Test func `An invalid picture is refused`() async throws {
    let spool = try await open()
    for change: (inout NewItem) -> Void in [
      { $0.bytes = [] }, { $0.fileExtension = "json" }, { $0.fileExtension = "../x" },
      { $0.metadata.rigID = "../.." },
    ] {
      var changed = NewItem.sample(1)
      change(&changed)
      let item = changed
      let error = await #expect(throws: SpoolError.self) { try await spool.store(item) }
      #expect(error?.code == .invalid)
    }
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    _ = try await spool.store(.sample(1))
    await spool.close()
  }

  @Test(
    arguments: [
      { $0.directory = "relative" }, { $0.rigID = "a/b" }, { $0.minimumFreeBytes = -1 },
      { $0.maximumBytes = 0 }, { $0.targets = [] }, { $0.targets = [.primary, .primary] },
    ] as [@Sendable (inout SpoolConfiguration) -> Void])
  func `An invalid configuration is refused`(
    change: @Sendable (inout SpoolConfiguration) -> Void
  ) async throws {
    let error = await #expect(throws: SpoolError.self) { _ = try await open(change) }
    #expect(error?.code == .invalid)
    #expect(!FileManager.default.fileExists(atPath: directory.spool))
  }

  @Test func `A closed spool refuses pictures with that reason`() async throws {
    let spool = try await open()
    await spool.close()
    await spool.close()
    let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(1)) }
    #expect(error?.code == .closed)
  }
}
