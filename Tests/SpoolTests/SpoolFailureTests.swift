import Foundation
import Glibc
import Testing

@testable import Spool

/// Faults of the medium, which are refused and pass, or end the service.
struct SpoolFailureTests {
  /// The steps of storing a picture that can fail, by their names in the journal.
  static let steps = [
    "mkdir 42", "sync items", "create .*jpg.part", "write .*jpg.part", "sync .*jpg.part",
    "create .*json.part", "write .*json.part", "sync .*json.part", "rename .*json",
    "rename .*jpg", "sync 42", "will enqueue.*",
  ]

  /// Makes a layer in which a step of the picture fails from the second `store` on.
  static func layer(
    _ directory: TestDirectory, failing pattern: String, with number: Int32, after: Trigger
  ) -> FaultyFileSystem {
    FaultyFileSystem(root: directory.spool) { step in
      guard after.isArmed, let expression = try? Regex(pattern) else { return nil }
      return step.description.wholeMatch(of: expression) == nil ? nil : number
    }
  }

  @Test(arguments: steps.filter { !$0.hasPrefix("mkdir") && $0 != "sync items" } + steps.prefix(2))
  func `An input or output error ends the storing for good`(step: String) async throws {
    let directory = TestDirectory()
    let trigger = Trigger()
    let files = Self.layer(directory, failing: step, with: EIO, after: trigger)
    let environment = SpoolEnvironment(
      files: files, bootID: "b", random: { trigger.isArmed ? 0x42 : 0x41 })
    let spool = try await Spool.open(directory.configuration(), environment: environment)
    let good = try await spool.store(.sample(1))
    try directory.removeShard("42")
    let events = await spool.events()
    trigger.arm()
    let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(2)) }
    #expect(error?.code == .failed)
    #expect(error?.description.contains("restarted") == true)
    // The fault has gone, but nothing is retried, least of all the fsync.
    trigger.disarm()
    let before = files.journal
    for number in 3...4 {
      let second = await #expect(throws: SpoolError.self) {
        try await spool.store(.sample(number))
      }
      #expect(second == error)
    }
    await #expect(throws: SpoolError.self) { try await spool.reservePressNumbers(count: 1) }
    await #expect(throws: SpoolError.self) { try await spool.nextDelivery() }
    #expect(files.journal == before)
    #expect(await spool.persistentFailure == error)
    // Reading is still allowed.
    #expect(try await spool.item(good.id)?.state == .stored)
    await spool.close()
    var last: SpoolEvent?
    for await event in events { last = event }
    #expect(last == error.map(SpoolEvent.failed))

    // The spool restarts, as the error asks for.
    let again = try await Spool.open(directory.configuration(), environment: SpoolEnvironment())
    #expect(try await again.item(good.id)?.state == .stored)
    #expect(try await again.store(.sample(5)).id.sequence > good.id.sequence)
    await again.close()
  }

  @Test(arguments: steps.filter { !$0.hasPrefix("sync") }, [ENOSPC, EDQUOT])
  func `A full disk refuses one picture and leaves nothing behind`(
    step: String, number: Int32
  ) async throws {
    let directory = TestDirectory()
    let trigger = Trigger()
    let files = Self.layer(directory, failing: step, with: number, after: trigger)
    let environment = SpoolEnvironment(
      files: files, bootID: "b", random: { trigger.isArmed ? 0x42 : 0x41 })
    let spool = try await Spool.open(directory.configuration(), environment: environment)
    _ = try await spool.store(.sample(1))
    try directory.removeShard("42")
    let before = TestDirectory.itemFiles(directory.spool)
    trigger.arm()
    let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(2)) }
    #expect(error?.code == .full)
    #expect(TestDirectory.itemFiles(directory.spool) == before)
    #expect(try await spool.counts().stored == 1)
    // The refusal is durable too.
    if step != Self.steps[0] { #expect(files.journal.last?.description == "sync 42") }
    trigger.disarm()
    _ = try await spool.store(.sample(3))
    #expect(try await spool.counts().stored == 2)
    await spool.close()
  }

  @Test func `A full disk at fsync is a failed fsync`() async throws {
    let directory = TestDirectory()
    let trigger = Trigger()
    let files = Self.layer(directory, failing: "sync .*jpg.part", with: ENOSPC, after: trigger)
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files))
    trigger.arm()
    let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(2)) }
    #expect(error?.code == .failed)
    await spool.close()
  }

  @Test func `A lack of descriptors refuses one picture`() async throws {
    let directory = TestDirectory()
    let trigger = Trigger()
    let files = Self.layer(directory, failing: "create .*json.part", with: EMFILE, after: trigger)
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files))
    trigger.arm()
    let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(2)) }
    #expect(error?.code == .shortOfResources)
    trigger.disarm()
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    _ = try await spool.store(.sample(2))
    await spool.close()
  }

  /// The lack lasts until something else gives descriptors back, and is met at every step.
  @Test func `A lasting lack of descriptors refuses pictures and does not end the service`()
    async throws
  {
    let directory = TestDirectory()
    let trigger = Trigger()
    let files = Self.layer(
      directory, failing: "create .*json.part|open 4.", with: EMFILE, after: trigger)
    let environment = SpoolEnvironment(
      files: files, bootID: "b", random: { trigger.isArmed ? 0x42 : 0x41 })
    let spool = try await Spool.open(directory.configuration(), environment: environment)
    _ = try await spool.store(.sample(1))
    trigger.arm()
    for number in 2...3 {
      let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(number)) }
      #expect(error?.code == .shortOfResources)
    }
    #expect(await spool.persistentFailure == nil)
    #expect(TestDirectory.itemFiles(directory.spool).count == 2)
    trigger.disarm()
    let before = files.journal.count
    _ = try await spool.store(.sample(2))
    // The removal is durable before anything else is stored.
    #expect(
      files.journal[before...].first { $0.description.hasPrefix("sync") }?.description == "sync 42")
    await spool.close()
  }

  @Test func `Interrupted and short writes are continued`() async throws {
    let directory = TestDirectory()
    let files = FaultyFileSystem(
      root: directory.spool, writeLimit: { $0.isMultiple(of: 3) ? nil : $0 % 97 + 1 })
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files))
    let item = NewItem.sample(1, bytes: 20_000)
    let stored = try await spool.store(item)
    #expect(FileManager.default.contents(atPath: stored.path).map { Array($0) } == item.bytes)
    #expect(try await spool.verifyForDelivery(stored.id) == .intact)
    #expect(files.journal.count > 400)
    await spool.close()
  }

  @Test func `A write that takes nothing is an error and not an endless loop`() async throws {
    let directory = TestDirectory()
    let files = FaultyFileSystem(root: directory.spool, writeLimit: { $0 < 5 ? .max : 0 })
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files))
    await #expect(throws: SpoolError.self) {
      for number in 1...5 { _ = try await spool.store(.sample(number)) }
    }
    #expect(await spool.persistentFailure?.code == .failed)
    await spool.close()
  }

  @Test func `A receipt that cannot be committed removes nothing`() async throws {
    for (number, code) in [(EIO, SpoolError.Code.failed), (ENOSPC, .full)] {
      let directory = TestDirectory()
      let trigger = Trigger()
      let files = Self.layer(directory, failing: "will done.*", with: number, after: trigger)
      let spool = try await Spool.open(
        directory.configuration(), environment: SpoolEnvironment(files: files))
      let stored = try await spool.store(.sample(1))
      let delivery = try #require(try await spool.nextDelivery())
      trigger.arm()
      let error = await #expect(throws: SpoolError.self) {
        try await spool.complete(stored.id, receipt: .sample(delivery))
      }
      #expect(error?.code == code)
      #expect(TestDirectory.itemFiles(directory.spool).count == 2)
      trigger.disarm()
      if code == .full {
        try await spool.complete(stored.id, receipt: .sample(delivery))
        #expect(TestDirectory.itemFiles(directory.spool) == [])
      }
      await spool.close()
    }
  }

  @Test func `The reserve and the byte limit are kept`() async throws {
    let directory = TestDirectory()
    let files = FaultyFileSystem(root: directory.spool)
    let configuration = directory.configuration {
      $0.minimumFreeBytes = 10_000_000
      $0.maximumBytes = 1000
    }
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment(files: files))
    files.setRoom(FileSystemRoom(freeBytes: 10_000_000, freeFiles: 1000))
    for _ in 0..<2 {
      let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(1)) }
      #expect(error?.code == .full)
    }
    files.setRoom(nil)
    for number in 1...3 { _ = try await spool.store(.sample(number)) }
    let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(4)) }
    #expect(error?.code == .full)
    await #expect(throws: SpoolError.self) { try await spool.checkRoom(forBytes: 101) }
    try await spool.checkRoom(forBytes: 100)
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(delivery.id, receipt: .sample(delivery))
    _ = try await spool.store(.sample(4))
    #expect(try await spool.counts().bytesWaiting == 900)
    await spool.close()
  }
}
