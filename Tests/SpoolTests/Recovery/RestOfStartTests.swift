import Foundation
import Glibc
import TestSupport
import Testing

@testable import Spool

/// A long queue, whose spool is open before all of it has been compared with its files.
struct RestOfStartTests {
  let directory = TestDirectory()

  func open(
    entries: Int = 0, boot: String = "b",
    fault: @escaping @Sendable (FaultyFileSystem.Step) -> Int32? = { _ in nil }
  ) async throws -> Spool {
    let files = FaultyFileSystem(root: directory.spool, fault: fault)
    var environment = SpoolEnvironment(files: files, bootID: boot)
    environment.entriesOfStart = entries
    environment.pauseOfRest = .milliseconds(1)
    return try await Spool.open(directory.configuration(), environment: environment)
  }

  /// Makes the storage without its actor, so that a test acts between two slices.
  func storage() throws -> SpoolStorage {
    var environment = SpoolEnvironment(bootID: "b")
    environment.entriesOfStart = 0
    return try SpoolStorage(directory.configuration(), environment)
  }

  func forget(_ item: StoredItem) throws {
    let sql = """
      DELETE FROM delivery WHERE item IN (SELECT sequence FROM item WHERE id = '\(item.id)');
      DELETE FROM item WHERE id = '\(item.id)'; UPDATE press SET outcome = NULL, items = NULL;
      """
    #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
  }

  func sidecar(_ item: StoredItem) -> String { item.path.replacing(".jpg", with: ".json") }

  @Test func `The rest of the start finds everything that a start finds`() async throws {
    var spool = try await open(entries: .max)
    var items: [StoredItem] = []
    _ = try await spool.reservePressNumbers(count: 200)
    for number in 1...200 { items.append(try await spool.store(.sample(number))) }
    let delivery = try #require(try await spool.nextDelivery())
    let bytes = try #require(FileManager.default.contents(atPath: items[0].path))
    try await spool.complete(delivery.id, receipt: .sample(delivery))
    await spool.close()
    try forget(items[199])
    try bytes.write(to: URL(fileURLWithPath: items[0].path))
    for path in [items[10].path, sidecar(items[20])] {
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(truncate(items[30].path, 10) == 0)
    try write("x", to: directory.spool + "/items/\(items[40].id.shard)/.\(items[40].id).jpg.part")

    spool = try await open()
    #expect(spool.recovery.isClean)
    _ = try await spool.store(.sample(300))
    // A press in flight of this run does not belong to an earlier run.
    let press = try await spool.reservePressNumbers(count: 1).lowerBound
    spool.enter(.sample(press))
    try await spool.writePresses()
    await spool.rest?.value
    #expect(try await spool.item(items[0].id)?.state == .purged)
    #expect(try await spool.item(items[10].id)?.state == .quarantined)
    #expect(try await spool.item(items[30].id)?.state == .quarantined)
    #expect(try await spool.verifyForDelivery(items[20].id) == .intact)
    #expect(access(sidecar(items[20]), F_OK) == 0 && access(items[0].path, F_OK) != 0)
    #expect(try await spool.item(items[199].id)?.state == .stored)
    #expect(try await spool.press(200)?.outcome == .stored([items[199].id]))
    let entry = try #require(try await spool.press(press))
    #expect(entry.outcome == nil)
    let counts = try await spool.counts()
    #expect(counts.stored == 198 && counts.quarantined == 2)
    await spool.close()
    spool = try await open(entries: .max)
    // The press was of this run, whose service has ended.
    #expect(spool.recovery.settledPresses == 1)
    #expect(spool.recovery.adopted == 0 && spool.recovery.quarantined == 0)
    await spool.close()
  }

  @Test func `The rest of the start reports its changes in the queue`() throws {
    var first: SpoolStorage? = try storage()
    var items: [StoredItem] = []
    for number in 1...3 { if let item = try first?.store(.sample(number)) { items.append(item) } }
    try first?.index.close()
    first = nil
    try FileManager.default.removeItem(atPath: items[0].path)
    #expect(truncate(items[1].path, 10) == 0)
    try forget(items[2])
    let storage = try storage()
    #expect(storage.events == [])
    while storage.rest != nil { _ = try storage.recoverSlice() }
    #expect(
      storage.events == [
        .quarantined(items[0].id, .missing), .quarantined(items[1].id, .damaged),
        .waiting(items[2].id),
      ])
    try storage.index.close()
  }

  /// The picture may come back with its shard; an evicted one would be removed then.
  @Test func `A picture whose file is away is not evicted before its row is compared`() throws {
    let configuration = directory.configuration {
      $0.whenFull = .evictOldest
      $0.maximumBytes = 900
    }
    var environment = SpoolEnvironment(bootID: "b")
    environment.entriesOfStart = 0
    var first: SpoolStorage? = try SpoolStorage(configuration, environment)
    var items: [StoredItem] = []
    for number in 1...3 { if let item = try first?.store(.sample(number)) { items.append(item) } }
    try first?.index.close()
    first = nil
    try FileManager.default.removeItem(atPath: items[0].path)
    let storage = try SpoolStorage(configuration, environment)
    #expect(storage.rest != nil)
    _ = try storage.store(.sample(4))
    #expect(try storage.index.row(items[0].id)?.state == .quarantined)
    #expect(try storage.index.row(items[1].id)?.state == .stored)
    // Three pictures have a file now, of which the oldest makes room.
    _ = try storage.store(.sample(5))
    #expect(try storage.index.row(items[0].id)?.state == .quarantined)
    #expect(try storage.index.row(items[1].id)?.state == .evicted)
    #expect(try storage.index.row(items[2].id)?.state == .stored)
    try storage.index.close()
  }

  /// A file that is in its place again brings its picture back, so it is not evicted as damaged.
  @Test func `A quarantined picture that has come back is not evicted before it is compared`()
    throws
  {
    let configuration = directory.configuration {
      $0.whenFull = .evictOldest
      $0.maximumBytes = 900
    }
    var environment = SpoolEnvironment(bootID: "b")
    environment.entriesOfStart = 0
    var first: SpoolStorage? = try SpoolStorage(configuration, environment)
    var items: [StoredItem] = []
    for number in 1...3 { if let item = try first?.store(.sample(number)) { items.append(item) } }
    try first?.index.quarantine(items[2].id, .damaged)
    try first?.index.close()
    first = nil
    let storage = try SpoolStorage(configuration, environment)
    _ = try storage.store(.sample(4))
    #expect(try storage.index.row(items[0].id)?.state == .evicted)
    #expect(try storage.index.row(items[2].id)?.state == .quarantined)
    while storage.rest != nil { _ = try storage.recoverSlice() }
    #expect(try storage.index.row(items[2].id)?.state == .stored)
    try storage.index.close()
  }

  /// Files that a slice has seen are gone, or have come back, before the next one.
  @Test func `Deliveries, deletions and pictures between two slices are no findings`() throws {
    let seed = TestSeed.value
    print("slices of a start: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var first: SpoolStorage? = try storage()
    for number in 0..<300 { _ = try first?.store(.sample(number)) }
    try first?.index.close()
    first = nil
    let storage = try storage()
    var next = 300
    while storage.rest != nil {
      _ = try storage.recoverSlice()
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          _ = try storage.store(.sample(next))
          next += 1
        case 1:
          guard let delivery = try storage.nextDelivery(target: .primary, excluding: []) else {
            continue
          }
          try storage.complete(delivery.id, target: .primary, receipt: .sample(delivery))
        case 2:
          guard
            let item = try storage.index.waiting(after: 0, limit: 400, states: [.stored])
              .randomElement(using: &random)
          else { continue }
          try storage.park(item.row.id, target: .primary, failure: .sample)
        default:
          guard
            let item = try storage.index.waiting(after: 0, limit: 400)
              .randomElement(using: &random)
          else { continue }
          try storage.delete(item.row.id)
        }
      }
    }
    let report = try #require(try storage.recoverSlice())
    #expect(report.isClean, "\(report)")
    #expect(storage.index.history.mayPrune)
    #expect(storage.leftBehind.isEmpty)
  }

  @Test func `A start looks at a part of a long queue`() throws {
    try storage().index.close()
    let count = 3000
    try HistoryFiller.fill(directory.spool + "/queue.db", items: count, isWaiting: true)
    let layout = SpoolLayout(root: directory.spool)
    for number in 1_000_001...(1_000_000 + count) {
      let id = ItemID(boot: 1, sequence: Int64(number), random: UInt64(number))
      let image = String(repeating: "x", count: 1000 + number % 7)
      try write(image, to: layout.image(id, "jpg"))
      try write("{}", to: layout.sidecar(id))
    }
    let files = FaultyFileSystem(root: directory.spool)
    var environment = SpoolEnvironment(files: files, bootID: "b")
    environment.entriesOfStart = 50
    let storage = try SpoolStorage(directory.configuration(), environment)
    #expect(storage.rest != nil)
    // Each row has two files, and a start looks at few others.
    #expect(files.looks < 2 * (50 + Recovery.rowSlice) + 100)
    #expect(try storage.index.tally()[.stored].count == count)
    while storage.rest != nil { _ = try storage.recoverSlice() }
    #expect(files.looks > 2 * count)
    #expect(try storage.index.tally()[.stored].count == count)
    try storage.index.close()
  }

  @Test func `A new index is put in order before the spool is open`() throws {
    let storage = try storage()
    #expect(storage.rest == nil, "a new index is put in order before the spool is open")
    for number in 0..<3 { _ = try storage.store(.sample(number)) }
    try storage.index.close()
  }

  @Test func `A failing medium in the rest of the start does not end the queue`() async throws {
    var spool = try await open(entries: .max)
    let stored = try await spool.store(.sample(1))
    await spool.close()
    spool = try await open { step in
      if case .list(let path) = step, path.contains("/items/") { EIO } else { nil }
    }
    await spool.rest?.value
    #expect(await spool.persistentFailure == nil)
    #expect(try await spool.nextDelivery()?.id == stored.id)
    await spool.close()
  }

  @Test func `A full disk delays the rest of the start and does not end it`() async throws {
    var spool = try await open(entries: .max)
    let stored = try await spool.store(.sample(1))
    await spool.close()
    try FileManager.default.removeItem(atPath: stored.path)
    let refusals = Mutexed(3)
    spool = try await open { step in
      guard case .willCommit(.quarantine) = step else { return nil }
      refusals.change { $0 -= 1 }
      return refusals.value >= 0 ? ENOSPC : nil
    }
    await spool.rest?.value
    #expect(try await spool.item(stored.id)?.state == .quarantined)
    #expect(refusals.value == -1)
    await spool.close()
  }

  /// A restart writes nothing that a full disk could refuse, whatever the bounds of numbers are.
  @Test func `A long queue is opened again on a full disk`() async throws {
    var spool = try await open(entries: .max)
    for number in 0..<3 { _ = try await spool.store(.sample(number)) }
    await spool.close()
    spool = try await open { step in
      switch step {
      case .write, .willCommit: ENOSPC
      default: nil
      }
    }
    #expect(try await spool.nextDelivery() != nil)
    await spool.close()
  }

  @Test func `Closing ends the rest of the start`() async throws {
    var spool = try await open(entries: .max)
    for number in 0..<300 { _ = try await spool.store(.sample(number)) }
    await spool.close()
    spool = try await open()
    let rest = await spool.rest
    await spool.close()
    await rest?.value
    spool = try await open(entries: .max)
    #expect(spool.recovery.isClean)
    await spool.close()
  }
}
