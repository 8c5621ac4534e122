import Foundation
import Glibc
import Testing

@testable import Spool

/// Behavior without room: refusal, eviction and ballast; also removal by a person.
struct RoomTests {
  let directory = TestDirectory()

  func open(
    files: (any FileSystem)? = nil, _ change: (inout SpoolConfiguration) -> Void = { _ in }
  ) async throws -> Spool {
    var environment = SpoolEnvironment(bootID: "b")
    if let files { environment.files = files }
    return try await Spool.open(directory.configuration(change), environment: environment)
  }

  @Test func `The limit of items refuses pictures until the first receipt`() async throws {
    let spool = try await open { $0.maximumItems = 2 }
    for number in 1...2 { _ = try await spool.store(.sample(number)) }
    let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(3)) }
    #expect(error?.code == .full)
    #expect(error?.cause?.contains("2 pictures wait") == true)
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(delivery.id, receipt: .sample(delivery))
    _ = try await spool.store(.sample(3))
    await spool.close()
  }

  /// Quarantines the oldest item that is not claimed.
  private func quarantine(_ spool: Spool) async throws -> ItemID {
    let delivery = try #require(try await spool.nextDelivery())
    try FileHandle(forWritingTo: URL(fileURLWithPath: delivery.path)).write(
      contentsOf: Data("x".utf8))
    #expect(try await spool.verifyForDelivery(delivery.id) == .quarantined(.damaged))
    return delivery.id
  }

  @Test func `A quarantined picture counts for the limits until a person deletes it`() async throws
  {
    let spool = try await open { $0.maximumItems = 2 }
    for number in 1...2 { _ = try await spool.store(.sample(number)) }
    let damaged = try await quarantine(spool)
    let missing = try #require(try await spool.nextDelivery())
    let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(3)) }
    #expect(
      error?.cause == "2 pictures wait or are quarantined, and the limit is 2",
      "\(error?.cause ?? "")")
    // A picture without a file takes no room.
    try FileManager.default.removeItem(atPath: missing.path)
    #expect(try await spool.verifyForDelivery(missing.id) == .quarantined(.missing))
    let third = try await spool.store(.sample(3)).id
    await #expect(throws: SpoolError.self) { try await spool.store(.sample(4)) }
    #expect(try await spool.deleteQuarantined() == 2)
    #expect(TestDirectory.files(of: damaged, in: directory.spool) == [])
    #expect(try await spool.item(damaged)?.evictionReason == .deleted)
    #expect(
      try await spool.auditEvents(limit: 2).map(\.detail) == [
        "300 bytes, quarantined: missing until then", "300 bytes, quarantined: damaged until then",
      ])
    #expect(try await spool.deleteQuarantined() == 0)
    _ = try await spool.store(.sample(4))
    #expect(try await spool.nextDelivery()?.id == third)
    #expect(try await spool.verify().isClean)
    await spool.close()
  }

  @Test func `Damaged pictures are evicted before good ones`() async throws {
    let spool = try await open {
      $0.maximumItems = 3
      $0.whenFull = .evictOldest
    }
    let first = try await spool.store(.sample(1)).id
    for number in 2...3 { _ = try await spool.store(.sample(number)) }
    #expect(try await spool.nextDelivery()?.id == first)
    let damaged = try await quarantine(spool)
    await spool.release(first)
    _ = try await spool.store(.sample(4))
    #expect(try await spool.item(damaged)?.state == .evicted)
    #expect(TestDirectory.files(of: damaged, in: directory.spool) == [])
    #expect(
      try await spool.auditEvents(limit: 1).first?.detail
        == "300 bytes to make room, quarantined: damaged until then")
    #expect(try await spool.item(first)?.state == .stored)
    _ = try await spool.store(.sample(5))
    #expect(try await spool.item(first)?.state == .evicted)
    #expect(try await spool.verify().isClean)
    await spool.close()
  }

  /// A damaged file may be of any length, so that its removal may free nothing.
  @Test func `A damaged picture that frees nothing does not prevent the eviction of good ones`()
    async throws
  {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files: files) {
      $0.whenFull = .evictOldest
      $0.minimumFreeBytes = 1 << 20
    }
    for number in 1...3 { _ = try await spool.store(.sample(number)) }
    let damaged = try await quarantine(spool)
    let oldest = try #require(try await spool.nextDelivery()).id
    await spool.release(oldest)
    // A hundred bytes are missing, however many pictures go.
    let needed = (1 << 20) + 300 + Capacity.overheadBytes
    files.setRoom(FileSystemRoom(freeBytes: needed - 100, freeFiles: nil))
    await #expect(throws: SpoolError.self) { try await spool.store(.sample(4)) }
    #expect(try await spool.item(damaged)?.state == .evicted)
    #expect(try await spool.item(oldest)?.state == .evicted)
    await spool.close()
  }

  @Test func `A file system without inodes refuses pictures with that reason and delivers on`()
    async throws
  {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files: files)
    _ = try await spool.store(.sample(1))
    files.setRoom(FileSystemRoom(freeBytes: 1 << 40, freeFiles: 0))
    let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(2)) }
    #expect(error?.code == .full)
    #expect(error?.description.contains("0 files left") == true)
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(delivery.id, receipt: .sample(delivery))
    files.setRoom(nil)
    _ = try await spool.store(.sample(2))
    await spool.close()
  }

  @Test func `The oldest pictures not in delivery are evicted, row first, and each is audited`()
    async throws
  {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files: files) {
      $0.maximumBytes = 1200
      $0.whenFull = .evictOldest
    }
    var ids: [ItemID] = []
    for number in 1...4 { ids.append(try await spool.store(.sample(number)).id) }
    #expect(try await spool.nextDelivery()?.id == ids[0])
    #expect(try await spool.nextDelivery()?.id == ids[1])
    try await spool.park(ids[1], failure: .sample)
    let events = await spool.events()
    let before = files.journal.count
    try await spool.checkRoom(forBytes: 600)
    // 600 bytes push the parked second and the third out; the first is being delivered.
    let big = try await spool.store(.sample(9, bytes: 600))
    let steps = files.journal.dropFirst(before).map(\.description)
    #expect(
      steps.prefix(6) == [
        "will evict(2)", "did evict(2)", "unlink \(ids[1]).jpg", "unlink \(ids[1]).json",
        "unlink \(ids[2]).jpg", "unlink \(ids[2]).json",
      ])
    let records = try await spool.items(state: .evicted, limit: 10)
    #expect(records.map(\.id) == [ids[2], ids[1]])
    #expect(records.map(\.evictionReason) == [.noRoom, .noRoom])
    #expect(records.map { $0.deliveries.map(\.state) } == [[.evicted], [.evicted]])
    let audit = try await spool.auditEvents()
    #expect(audit.prefix(2).map(\.item) == [ids[2], ids[1]])
    #expect(audit[1].detail == "300 bytes to make room, parked until then")
    #expect(try await spool.counts().evicted == 2)
    #expect(try await spool.counts().bytesWaiting == 1200)
    // A demand for more than all that may go is refused, and no picture goes in vain.
    await #expect(throws: SpoolError.self) { try await spool.checkRoom(forBytes: 901) }
    let error = await #expect(throws: SpoolError.self) {
      try await spool.store(.sample(10, bytes: 901))
    }
    #expect(error?.code == .full)
    #expect(try await spool.counts().evicted == 2)
    await spool.close()
    var seen: [SpoolEvent] = []
    for await event in events { seen.append(event) }
    #expect(
      seen == [
        .queue(.primary, QueueState(hasPending: true)), .evicted(ids[1]), .evicted(ids[2]),
        .stored(big.id),
      ])
    let again = try await open()
    #expect(again.recovery.isClean)
    await again.close()
  }

  /// A disk on which the removal of pictures frees nothing.
  enum Barren: CaseIterable {
    /// The files cannot be removed.
    case unlinkFails
    /// The files can be removed, but their room is used by others or held by an open file.
    case roomStays

    func layer(_ root: String) -> FaultyFileSystem {
      FaultyFileSystem(root: root) { step in
        guard self == .unlinkFails, case .unlink(let path) = step, path.hasSuffix(".jpg") else {
          return nil
        }
        return EIO
      }
    }
  }

  @Test(arguments: Barren.allCases, [Int64(100_000), 0])
  func `Eviction ends when it frees nothing`(
    disk: Barren, freeBytes: Int64
  ) async throws {
    let files = disk.layer(directory.spool)
    let spool = try await open(files: files) { $0.whenFull = .evictOldest }
    for number in 1...6 { _ = try await spool.store(.sample(number)) }
    // Either bytes or files are missing, one picture's worth of them.
    let room =
      freeBytes > 0
      ? FileSystemRoom(freeBytes: Capacity.overheadBytes + 100, freeFiles: 100)
      : FileSystemRoom(freeBytes: 1 << 40, freeFiles: 3)
    files.setRoom(room)
    let perRound = freeBytes > 0 ? 1 : 2
    for _ in 0..<5 {
      let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(7)) }
      #expect(error?.code == .full)
      await #expect(throws: SpoolError.self) { try await spool.checkRoom(forBytes: 300) }
      #expect(try await spool.counts().evicted == perRound)
    }
    // Once more room is free than then, another round is worthwhile.
    files.setRoom(
      FileSystemRoom(freeBytes: room.freeBytes + 1, freeFiles: room.freeFiles.map { $0 + 1 }))
    if freeBytes > 0 {
      await #expect(throws: SpoolError.self) { try await spool.store(.sample(7)) }
      #expect(try await spool.counts().evicted == 2 * perRound)
    }
    files.setRoom(nil)
    _ = try await spool.store(.sample(7))
    await spool.close()
  }

  @Test func `A file that cannot be removed does not end the eviction of others`() async throws {
    let layer = Mutexed<FaultyFileSystem?>(nil)
    let removed = Mutexed(0)
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard case .unlink(let path) = step, path.hasSuffix(".jpg") else { return nil }
      removed.change { $0 += 1 }
      if removed.value == 1 { return EIO }
      let freed = Int64(removed.value - 1) * 300
      layer.value?.setRoom(
        FileSystemRoom(freeBytes: Capacity.overheadBytes - 200 + freed, freeFiles: 100))
      return nil
    }
    layer.change { $0 = files }
    let spool = try await open(files: files) { $0.whenFull = .evictOldest }
    for number in 1...6 { _ = try await spool.store(.sample(number)) }
    // 500 bytes are missing. Two pictures are chosen, of which only one goes, and then a third.
    files.setRoom(FileSystemRoom(freeBytes: Capacity.overheadBytes - 200, freeFiles: 100))
    _ = try await spool.store(.sample(7))
    #expect(try await spool.counts().evicted == 3)
    await spool.close()
    layer.change { $0 = nil }
  }

  @Test func `A person removes only a waiting, parked or quarantined item, and confirms its ID`()
    async throws
  {
    let spool = try await open()
    var items: [StoredItem] = []
    for number in 1...5 { items.append(try await spool.store(.sample(number))) }
    let ids = items.map(\.id)
    let wrong = await #expect(throws: SpoolError.self) {
      try await spool.delete(ids[0], confirming: ids[1])
    }
    #expect(wrong?.code == .invalid)
    // Delivered, being delivered, unknown.
    let delivery = try #require(try await spool.nextDelivery())
    let busy = await #expect(throws: SpoolError.self) {
      try await spool.delete(ids[0], confirming: ids[0])
    }
    #expect(busy?.code == .notWaiting)
    try await spool.complete(ids[0], receipt: .sample(delivery))
    let unknown = ItemID(boot: 1, sequence: 99, random: 1)
    for (id, code) in [(ids[0], SpoolError.Code.notWaiting), (unknown, .unknownItem)] {
      let error = await #expect(throws: SpoolError.self) {
        try await spool.delete(id, confirming: id)
      }
      #expect(error?.code == code)
    }
    // Parked, quarantined, waiting.
    _ = try await spool.nextDelivery()
    try await spool.park(ids[1], failure: .sample)
    try write("x", to: items[2].path)
    #expect(try await spool.verifyForDelivery(ids[2]) == .quarantined(.damaged))
    for id in ids[1...3] { try await spool.delete(id, confirming: id) }
    #expect(
      TestDirectory.itemFiles(directory.spool).allSatisfy { $0.contains(ids[4].description) })
    #expect(try await spool.item(ids[2])?.evictionReason == .deleted)
    let audit = try await spool.auditEvents(limit: 3)
    #expect(audit.map(\.kind) == [.deleted, .deleted, .deleted])
    #expect(audit[1].detail == "300 bytes, quarantined: damaged until then")
    await spool.close()
  }

  @Test func `The ballast makes way for a receipt and is made again when there is room`()
    async throws
  {
    let fullDisk = Trigger()
    let files = QueueLife.layer(
      directory.spool, crashAt: nil, crash: .kill, survivor: "", seed: 1, fullDisk: fullDisk)
    let spool = try await open(files: files) { $0.ballastBytes = 65_536 }
    let ballast = directory.spool + "/ballast"
    let size = try FileManager.default.attributesOfItem(atPath: ballast)[.size] as? Int
    #expect(size == 65_536)
    let id = try await spool.store(.sample(1)).id
    let delivery = try #require(try await spool.nextDelivery())
    fullDisk.arm()
    // There is no room for the ballast after the removal either.
    files.setRoom(FileSystemRoom(freeBytes: 100_000, freeFiles: nil))
    try await spool.complete(id, receipt: .sample(delivery))
    #expect(try await spool.item(id)?.state == .delivered)
    #expect(!FileManager.default.fileExists(atPath: ballast))
    #expect(try await spool.stats().isBallastPresent == false)
    fullDisk.disarm()
    files.setRoom(nil)
    _ = try await spool.store(.sample(2))
    let next = try #require(try await spool.nextDelivery())
    try await spool.complete(next.id, receipt: .sample(next))
    #expect(try await spool.stats().isBallastPresent)
    #expect(FileManager.default.fileExists(atPath: ballast))
    await spool.close()
  }

  @Test(arguments: ["short", "symlink", "directory"])
  func `A foreign entry in the ballast's place is repaired or left alone`(kind: String) async throws
  {
    let ballast = directory.spool + "/ballast"
    let manager = FileManager.default
    try manager.createDirectory(atPath: directory.spool, withIntermediateDirectories: false)
    switch kind {
    case "short": try write("x", to: ballast)
    case "symlink":
      try manager.createSymbolicLink(atPath: ballast, withDestinationPath: "/etc/passwd")
    default: try manager.createDirectory(atPath: ballast, withIntermediateDirectories: false)
    }
    let spool = try await open { $0.ballastBytes = 65_536 }
    #expect(try await spool.stats().isBallastPresent == (kind == "short"))
    if kind == "symlink" {
      #expect(try manager.destinationOfSymbolicLink(atPath: ballast) == "/etc/passwd")
    }
    _ = try await spool.store(.sample(1))
    await spool.close()
  }
}
