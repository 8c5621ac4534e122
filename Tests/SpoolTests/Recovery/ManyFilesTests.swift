import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Spool

/// A start on many files, with and without their index.
struct ManyFilesTests {
  @Test func `Thousands of pictures are read again only without their index`() async throws {
    let directory = TestDirectory()
    let spool = try await directory.open()
    await spool.close()
    // The files are written by hand, as the layout is the contract.
    let manager = FileManager.default
    var random = TestSeed.generator()
    let bytes = Data("picture".utf8)
    let metadata = NewItem.sample(1).metadata
    let count = Repetitions.of(2_000, brief: 2_000, long: 20_000)
    for sequence in 1...count {
      let id = ItemID(boot: 1, sequence: Int64(sequence), random: random.next())
      let picture = bytes + Data("\(sequence)".utf8)
      let path = SpoolLayout(root: directory.spool).image(id, "jpg")
      try picture.write(to: URL(fileURLWithPath: path))
      let row = ItemRow(
        id: id, fileExtension: "jpg", bytes: Int64(picture.count),
        sha256: try KernelFileSystem().hashFile(path).sha256, remoteName: "r/\(id)",
        metadata: metadata)
      try Data(row.encodedSidecar(targets: [.primary])).write(
        to: URL(fileURLWithPath: SpoolLayout(root: directory.spool).sidecar(id)))
    }
    try manager.removeItem(atPath: directory.spool + "/queue.db")
    var reads: [Int] = []
    for expected in [count, 0] {
      let readCount = Mutex(0)
      let files = FaultyFileSystem(root: directory.spool) { step in
        if case .read(let path) = step, path.contains("/items/") { readCount.withLock { $0 += 1 } }
        return nil
      }
      let started = ContinuousClock.now
      let spool = try await Spool.open(
        directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
      let took = ContinuousClock.now - started
      print("figure: start with \(count) pictures, \(expected) adopted, in \(took)")
      reads.append(readCount.withLock { $0 })
      #expect(spool.recovery.adopted == expected)
      #expect(try await spool.counts().stored == count)
      #expect(try await spool.nextDelivery()?.id.sequence == 1)
      await spool.close()
    }
    // The index saves reading every file.
    #expect(reads[0] >= count && reads[1] < count / 10, "\(reads)")
  }
}
