import Foundation
import Glibc
import Testing

@testable import Spool

/// A real file system that runs full; mounting it needs root.
struct FullDiskTests {
  @Test(.enabled(if: geteuid() == 0, "only root can mount a file system"))
  func `A full ext4 refuses pictures, keeps what it has and recovers`() async throws {
    let disk = try LoopDisk(megabytes: 12)
    defer { disk.unmount() }
    let configuration = SpoolConfiguration(
      directory: disk.mountPoint + "/spool", rigID: "rig-1", minimumFreeBytes: 0)
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment())
    var stored: [StoredItem] = []
    var refused = 0
    // The margin of the check would stop before the disk is full: another writer fills the rest.
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

  /// Without the room check, so that the kernel itself says that the disk is full.
  @Test(.enabled(if: geteuid() == 0, "only root can mount a file system"))
  func `The kernel's own refusal leaves nothing behind`() async throws {
    let disk = try LoopDisk(megabytes: 12)
    defer { disk.unmount() }
    let configuration = SpoolConfiguration(
      directory: disk.mountPoint + "/spool", rigID: "rig-1", minimumFreeBytes: 0)
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
}

/// A small ext4 in a file.
private struct LoopDisk {
  let directory: TestDirectory
  var mountPoint: String { directory.path + "/mount" }
  private var image: String { directory.path + "/disk.img" }
  private var filler: String { mountPoint + "/filler" }

  init(megabytes: Int) throws {
    directory = try TestDirectory()
    try FileManager.default.createDirectory(
      atPath: mountPoint, withIntermediateDirectories: false)
    for command in [
      ["truncate", "-s", "\(megabytes)M", image],
      ["mkfs.ext4", "-q", "-m", "0", image],
      ["mount", "-o", "loop,noatime", image, mountPoint],
    ] {
      let result = try run("sh", "-c", command.joined(separator: " "))
      try #require(result.status == 0, "\(command): \(result.output)")
    }
  }

  /// Grows or shrinks a file until so many bytes are free.
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
