import Foundation
import Glibc
import Testing

@testable import Spool

/// A real file system that runs full, which only root can mount.
struct FullDiskTests {
  @Test(.enabled(if: geteuid() == 0, "only root can mount a file system"))
  func `A full ext4 refuses pictures, keeps the stored ones and recovers`() async throws {
    let disk = try LoopDisk(megabytes: 12)
    defer { disk.unmount() }
    let configuration = SpoolConfiguration(
      directory: disk.mountPoint + "/spool", rigID: "rig-1", minimumFreeBytes: 0, ballastBytes: 0)
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment())
    var stored: [StoredItem] = []
    var refused = 0
    // The check would stop before the disk is full, so another writer fills the rest.
    for number in 1...200 where refused < 5 {
      if stored.count == 20 { try disk.fill(leaving: 700_000) }
      do {
        stored.append(try await spool.store(.sample(number, bytes: 100_000)))
      } catch {
        #expect(error.code == .full, "\(error)")
        refused += 1
      }
      if refused == 1 { try disk.fill(leaving: 0) }
    }
    #expect(stored.count >= 20)
    #expect(refused == 5)
    #expect(await spool.persistentFailure == nil)
    #expect(TestDirectory.itemFiles(configuration.directory).count == 2 * stored.count)
    for item in stored { #expect(try await spool.verifyForDelivery(item.id) == .intact) }

    disk.emptyFiller()
    let after = try await spool.store(.sample(999, bytes: 100_000))
    while let delivery = try await spool.nextDelivery() {
      try await spool.complete(delivery.id, receipt: .sample(delivery))
    }
    #expect(try await spool.counts().delivered == stored.count + 1)
    #expect(try await spool.item(after.id)?.state == .delivered)
    #expect(TestDirectory.itemFiles(configuration.directory) == [])
    await spool.close()
  }

  /// The room check is off, so that the kernel itself reports the full disk.
  @Test(.enabled(if: geteuid() == 0, "only root can mount a file system"))
  func `The kernel's own refusal leaves nothing behind`() async throws {
    let disk = try LoopDisk(megabytes: 12)
    defer { disk.unmount() }
    let configuration = SpoolConfiguration(
      directory: disk.mountPoint + "/spool", rigID: "rig-1", minimumFreeBytes: 0, ballastBytes: 0)
    let files = FaultyFileSystem(root: configuration.directory)
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment(files: files))
    files.setRoom(FileSystemRoom(freeBytes: .max, freeFiles: nil))
    var stored: [StoredItem] = []
    for number in 1...10 { stored.append(try await spool.store(.sample(number, bytes: 50_000))) }
    for left in stride(from: 300_000, through: 0, by: -20_000) {
      try disk.fill(leaving: left)
      do {
        stored.append(try await spool.store(.sample(1000 + left, bytes: 200_000)))
      } catch {
        #expect(error.code == .full, "\(error)")
      }
      #expect(TestDirectory.itemFiles(configuration.directory).count == 2 * stored.count)
    }
    #expect(await spool.persistentFailure == nil)
    await spool.close()
    disk.emptyFiller()
    let again = try await Spool.open(configuration, environment: SpoolEnvironment())
    #expect(again.recovery.isClean)
    #expect(try await again.counts().stored == stored.count)
    for item in stored { #expect(try await again.verifyForDelivery(item.id) == .intact) }
    await again.close()
  }

  /// The deadlock: a full disk stops the commit of receipts, which would free the disk.
  @Test(
    .enabled(if: geteuid() == 0, "only root can mount a file system"), arguments: [true, false])
  func `Receipts are committed on a full disk, as long as there is ballast`(
    hasBallast: Bool
  ) async throws {
    let disk = try LoopDisk(megabytes: 32)
    defer { disk.unmount() }
    let configuration = SpoolConfiguration(
      directory: disk.mountPoint + "/spool", rigID: "rig-1", minimumFreeBytes: 0,
      ballastBytes: hasBallast ? 16 << 20 : 0)
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "b"))
    #expect(try await spool.stats().isBallastPresent == hasBallast)
    for number in 1...5 { _ = try await spool.store(.sample(number, bytes: 20_000)) }
    try disk.fill(leaving: 0)
    let refused = await #expect(throws: SpoolError.self) {
      try await spool.store(.sample(6, bytes: 20_000))
    }
    #expect(refused?.code == .full)
    let delivery = try #require(try await spool.nextDelivery())
    guard hasBallast else {
      // Without ballast a queue is stuck, however often the commit is retried.
      for _ in 0..<5 {
        let error = await #expect(throws: SpoolError.self) {
          try await spool.complete(delivery.id, receipt: .sample(delivery))
        }
        #expect(error?.code == .full)
      }
      #expect(await spool.persistentFailure == nil)
      disk.emptyFiller()
      try await spool.complete(delivery.id, receipt: .sample(delivery))
      await spool.close()
      return
    }
    try await spool.complete(delivery.id, receipt: .sample(delivery))
    #expect(try await spool.stats().isBallastPresent == false)
    // The rest of the ballast is for receipts and for the numbers of refused presses.
    let greedy = await #expect(throws: SpoolError.self) {
      try await spool.store(.sample(8, bytes: 20_000))
    }
    #expect(greedy?.code == .full)
    #expect(try await spool.reservePressNumbers(count: 64).count == 64)
    while let next = try await spool.nextDelivery() {
      try await spool.complete(next.id, receipt: .sample(next))
    }
    #expect(try await spool.counts().delivered == 5)
    #expect(TestDirectory.itemFiles(configuration.directory) == [])
    // Another program took the room; when it frees the room, the ballast is made again.
    disk.emptyFiller()
    _ = try await spool.store(.sample(7))
    let last = try #require(try await spool.nextDelivery())
    try await spool.complete(last.id, receipt: .sample(last))
    #expect(try await spool.stats().isBallastPresent)
    await spool.close()
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount a file system"))
  func `A spool starts on a full disk and delivers`() async throws {
    let disk = try LoopDisk(megabytes: 32)
    defer { disk.unmount() }
    let configuration = SpoolConfiguration(
      directory: disk.mountPoint + "/spool", rigID: "rig-1", minimumFreeBytes: 0)
    var spool = try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "b"))
    for number in 1...5 { _ = try await spool.store(.sample(number, bytes: 20_000)) }
    await spool.close()
    try disk.fill(leaving: 0)
    spool = try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "c"))
    #expect(spool.recovery.isClean)
    while let next = try await spool.nextDelivery() {
      #expect(try await spool.verifyForDelivery(next.id) == .intact)
      try await spool.complete(next.id, receipt: .sample(next))
    }
    #expect(try await spool.counts().delivered == 5)
    await spool.close()
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount a file system"))
  func `A file system without inodes refuses pictures until some inodes are free`() async throws {
    let disk = try LoopDisk(megabytes: 12, options: "-N 100")
    defer { disk.unmount() }
    let configuration = SpoolConfiguration(
      directory: disk.mountPoint + "/spool", rigID: "rig-1", minimumFreeBytes: 0, ballastBytes: 0)
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment())
    var stored = 0
    var refusal: SpoolError?
    while refusal == nil, stored < 200 {
      do throws(SpoolError) {
        _ = try await spool.store(.sample(stored))
        stored += 1
      } catch {
        refusal = error
      }
    }
    #expect(refusal?.code == .full)
    #expect(refusal?.description.contains("the file system has only") == true)
    #expect((10..<100).contains(stored))
    while let next = try await spool.nextDelivery() {
      try await spool.complete(next.id, receipt: .sample(next))
    }
    _ = try await spool.store(.sample(999))
    #expect(try await spool.counts().delivered == stored)
    await spool.close()
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount a file system"))
  func `The oldest pictures are evicted on a small disk, and the newest are all there`()
    async throws
  {
    let disk = try LoopDisk(megabytes: 16)
    defer { disk.unmount() }
    let configuration = SpoolConfiguration(
      directory: disk.mountPoint + "/spool", rigID: "rig-1", minimumFreeBytes: 1 << 20,
      whenFull: .evictOldest, ballastBytes: 1 << 20)
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment())
    var ids: [ItemID] = []
    for number in 1...60 {
      var item = NewItem.sample(number)
      item.bytes += [UInt8](repeating: 0, count: 500_000)
      ids.append(try await spool.store(item).id)
    }
    let evicted = try await spool.counts().evicted
    #expect((30...55).contains(evicted))
    let kept = try await spool.items(state: .stored, limit: 100).map(\.id)
    #expect(kept == ids.suffix(60 - evicted).reversed())
    #expect(try await spool.auditEvents().count { $0.kind == .evicted } == evicted)
    #expect(try await spool.verify().isClean)
    await spool.close()
  }
}

/// A small ext4 in a file.
private struct LoopDisk {
  let directory: TestDirectory
  var mountPoint: String { directory.path + "/mount" }
  private var image: String { directory.path + "/disk.img" }
  private var filler: String { mountPoint + "/filler" }

  init(megabytes: Int, options: String = "") throws {
    directory = TestDirectory()
    try FileManager.default.createDirectory(
      atPath: mountPoint, withIntermediateDirectories: false)
    for command in [
      ["truncate", "-s", "\(megabytes)M", image],
      ["mkfs.ext4", "-q", "-m", "0", options, image],
      ["mount", "-o", "loop,noatime", image, mountPoint],
    ] {
      let result = try run("sh", "-c", command.joined(separator: " "))
      try #require(result.status == 0, "\(command): \(result.output)")
    }
  }

  /// Resizes a file until so many bytes are free.
  func fill(leaving bytes: Int) throws {
    let free = Int(try KernelFileSystem().room(mountPoint).freeBytes)
    let size = (try? FileManager.default.attributesOfItem(atPath: filler)[.size]) as? Int ?? 0
    _ = try run("fallocate", "-l", "\(max(1, size + free - bytes))", filler)
  }

  func emptyFiller() {
    unlink(filler)
  }

  func unmount() {
    do {
      let result = try run("umount", mountPoint)
      #expect(result.status == 0, "\(result.output)")
    } catch {
      Issue.record(error)
    }
  }
}
