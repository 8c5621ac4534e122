import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Spool

/// Recordings that are too long for memory, and for a call that others wait for.
struct LongRecordingTests {
  let directory = TestDirectory()

  func open(_ files: FaultyFileSystem) async throws -> Spool {
    try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
  }

  @Test func `a long recording is never in memory`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files)
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    let count = try makeLong(recording.path)
    let stored = try await spool.store(recording, metadata: .recording(1))
    #expect(stored.byteCount == count)
    #expect(try await spool.verifyForDelivery(stored.id) == .intact)
    let verification = try await spool.verify()
    #expect(verification.isClean && verification.hashedBytes == count)
    #expect(files.largestRead <= 1 << 20)

    try files.damage(stored.path)
    try #require(truncate(stored.path, count) == 0)
    #expect(try await spool.verify().findings.map(\.problem) == ["is damaged"])
    #expect(try await spool.verify(repair: true).findings.map(\.isRepaired) == [true])
    #expect(try await spool.verifyForDelivery(stored.id) == .quarantined(.damaged))
    await spool.close()
  }

  /// Makes a recording of a whole fragment of 64 MiB of zeros, which take no room on the disk.
  private func makeLong(_ path: String) throws -> Int {
    let length = 64 << 20
    var head = MovieSample.beginning + MovieSample.fragment(1, count: 0).dropLast(8)
    head += withUnsafeBytes(of: UInt32(length + 8).bigEndian) { Array($0) }
    head += Array("mdat".utf8)
    try append(head, to: path)
    try #require(truncate(path, head.count + length) == 0)
    return head.count + length
  }

  @Test func `a press does not wait while a long file is read`() async throws {
    let gate = Gate()
    let files = FaultyFileSystem(root: directory.spool) { step in
      if case .read(let path) = step, path.hasSuffix(".mp4") { gate.pass() }
      return nil
    }
    let spool = try await open(files)
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    _ = try makeLong(recording.path)
    let id = recording.id
    let readers: [@Sendable () async throws -> Void] = [
      { _ = try await spool.store(recording, metadata: .recording(1)) },
      { _ = try await spool.verifyForDelivery(id) }, { _ = try await spool.verify() },
    ]
    for (number, reader) in readers.enumerated() {
      gate.close()
      let task = Task { try await reader() }
      try await eventually { gate.isReached }
      _ = try await spool.store(.sample(number + 10))
      gate.open()
      try await task.value
    }
    #expect(gate.isPassed, "the file was read on the spool's own queue")
    await spool.close()
  }

  @Test func `a press does not wait while a long file of the quarantine is read`() async throws {
    let gate = Gate()
    let files = FaultyFileSystem(root: directory.spool) { step in
      if case .read(let path) = step, path.contains("/quarantine/") { gate.pass() }
      return nil
    }
    let spool = try await open(files)
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    let count = try makeLong(recording.path)
    let stored = try await spool.store(recording, metadata: .recording(1))
    try setLastByte(of: stored.path, count: count, to: 1)
    #expect(try await spool.verifyForDelivery(stored.id) == .quarantined(.damaged))
    try setLastByte(of: directory.spool + "/quarantine/\(stored.id).mp4", count: count, to: 0)
    gate.close()
    let check = Task { try await spool.verify(repair: true) }
    try await eventually { gate.isReached }
    _ = try await spool.store(.sample(10))
    gate.open()
    let verification = try await check.value
    #expect(gate.isPassed, "the file was read on the spool's own queue")
    #expect(verification.findings.map(\.problem) == ["is quarantined and intact"])
    #expect(verification.hashedBytes == count)
    #expect(try await spool.item(stored.id)?.state == .stored)
    #expect(try await spool.verify().isClean)
    await spool.close()
  }

  @Test func `a recording for which a stop left no time is stored by the next start, as it ended`()
    async throws
  {
    let gate = Gate()
    let reads = Mutex(0)
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard case .read(let path) = step, path.hasSuffix(".mp4") else { return nil }
      reads.withLock { $0 += 1 }
      gate.pass()
      return nil
    }
    let spool = try await open(files)
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    let count = try makeLong(recording.path)
    var metadata = ItemMetadata.recording(1)
    (metadata.durationNanoseconds, metadata.frameCount) = (3_000_000_000, 90)
    metadata.droppedFrames = 2
    let final = metadata
    gate.close()
    let storing = Task { try await spool.store(recording, metadata: final) }
    try await eventually { gate.isReached }
    await spool.close()
    gate.open()
    let error = await #expect(throws: SpoolError.self) { try await storing.value }
    #expect(error?.code == .closed)
    // The heads of the boxes are read, and none of the 256 blocks of the media.
    #expect(reads.withLock { $0 } < 50)

    let next = try await directory.open()
    await next.finishAdoption()
    let item = try #require(try await next.item(recording.id))
    metadata.mediaType = "video/mp4"
    #expect(item.metadata == metadata && item.metadata.isCutOff == nil)
    #expect(item.byteCount == count)
    await next.close()
  }

  private func setLastByte(of path: String, count: Int, to byte: UInt8) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(count - 1))
    try file.write(contentsOf: Data([byte]))
    try file.close()
  }
}
