import Digests
import Foundation
import TestSupport
import Testing

@testable import Spool

/// Recordings, from their durable place to an item of the queue.
struct RecordingTests {
  let directory = TestDirectory()

  func open(
    _ files: (any FileSystem)? = nil, log: RecordedLog = RecordedLog(),
    _ change: (inout SpoolConfiguration) -> Void = { _ in }
  ) async throws -> Spool {
    try await Spool.open(
      directory.configuration(change), logger: log.logger,
      environment: SpoolEnvironment(files: files ?? KernelFileSystem(), bootID: "b"))
  }

  /// The files of recordings that are not stored.
  var recordings: [String] {
    TestDirectory.itemFiles(directory.spool).filter { $0.hasPrefix("recordings/") }
  }

  @Test func `a recording is an item once it is stored`() async throws {
    let movie = MovieSample.movie(3)
    let spool = try await open()
    let events = await spool.events()
    let recording = try await spool.beginRecording(.recording(7), roomForBytes: 1000)
    #expect(content(recording.path) == [])
    #expect(recordings == ["mp4", "json"].sorted().map { "recordings/\(recording.id).\($0)" })
    try append(movie, to: recording.path)
    #expect(try await spool.makeRoom(forBytes: 1000, of: recording) == movie.count)
    // A picture that is stored meanwhile goes its own way.
    let picture = try await spool.store(.sample(1))
    #expect(try await spool.counts().stored == 1)

    var metadata = ItemMetadata.recording(7)
    (metadata.durationNanoseconds, metadata.frameCount) = (3_000_000_000, 90)
    metadata.droppedFrames = 2
    let stored = try await spool.store(recording, metadata: metadata)
    #expect(stored.id == recording.id && stored.byteCount == movie.count)
    #expect(stored.sha256 == Digest.value(.sha256, of: movie).hexadecimal)
    #expect(stored.remoteName.hasSuffix(".mp4"))
    #expect(content(stored.path) == movie && recordings == [])
    metadata.mediaType = "video/mp4"
    let item = try #require(try await spool.item(stored.id))
    #expect(item.metadata == metadata && item.metadata.isRecording)
    let sidecar = try #require(content(stored.path.replacing(".mp4", with: ".json")))
    #expect(Sidecar.decode(sidecar, id: stored.id)?.metadata == metadata)
    #expect(try await spool.press(7)?.items == [stored.id])
    #expect(try await spool.verify().isClean)
    // The recording began first.
    #expect(try await spool.deliverAll() == [stored.sha256, picture.sha256])
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    await spool.close()
    var stores: [ItemID] = []
    for await event in events { if case .stored(let id) = event { stores.append(id) } }
    #expect(stores == [picture.id, stored.id])
  }

  @Test func `a copy takes the place of its recording`() async throws {
    let (movie, copy) = (MovieSample.movie(3), MovieSample.movie(2))
    let spool = try await open()
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    try append(movie, to: recording.path)
    let path = try await spool.beginCopy(
      of: recording, metadata: .recording(1), roomForBytes: 1000)
    #expect(content(path) == [])
    try append(copy, to: path)
    try await spool.takeCopy(of: recording)
    let stored = try await spool.store(recording, metadata: .recording(1))
    #expect(content(stored.path) == copy && recordings == [])
    await #expect(throws: SpoolError.self) { try await spool.takeCopy(of: recording) }
    await spool.close()
  }

  @Test func `a copy that is not taken leaves the recording, also over a crash`() async throws {
    let movie = MovieSample.movie(3)
    let spool = try await open { $0.minimumFreeBytes = 1 }
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    try append(movie, to: recording.path)
    let full = await #expect(throws: SpoolError.self) {
      try await spool.beginCopy(of: recording, metadata: .recording(1), roomForBytes: 1 << 60)
    }
    #expect(full?.code == .full && recordings.count == 2)
    var metadata = ItemMetadata.recording(1)
    metadata.durationNanoseconds = 3_000_000_000
    for _ in 0..<2 {
      let path = try await spool.beginCopy(of: recording, metadata: metadata, roomForBytes: 0)
      try append([1, 2, 3], to: path)
      #expect(recordings.count == 3)
      await spool.discardCopy(of: recording)
      #expect(recordings.count == 2)
    }
    try append([1], to: await spool.beginCopy(of: recording, metadata: metadata, roomForBytes: 0))
    await spool.close()
    let next = try await open()
    await next.finishAdoption()
    #expect(recordings == [])
    let id = try #require(try await next.press(1)?.items.first)
    let item = try #require(try await next.item(id))
    #expect(content(item.path) == movie)
    // The facts at the end were on stable storage before the copy.
    #expect(item.metadata.durationNanoseconds == 3_000_000_000 && item.metadata.isCutOff == nil)
    await next.close()
  }

  @Test func `a copy has room as long as what it lacks leaves room for a picture`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await Spool.open(
      directory.configuration { $0.minimumFreeBytes = 1 },
      environment: SpoolEnvironment(files: files, bootID: "b"))
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    let path = try await spool.beginCopy(
      of: recording, metadata: .recording(1), roomForBytes: 1 << 20)
    #expect(await spool.hasRoom(forCopyOf: recording, bytes: 1 << 20))
    // Pictures have taken the room.
    let picture = directory.configuration().roomBesideSources
    files.setRoom(FileSystemRoom(freeBytes: picture + 1 << 19, freeFiles: nil))
    #expect(await !spool.hasRoom(forCopyOf: recording, bytes: 1 << 20))
    try append([UInt8](repeating: 1, count: 1 << 20), to: path)
    #expect(await spool.hasRoom(forCopyOf: recording, bytes: 1 << 20))
    await spool.close()
  }

  @Test func `a recorder that was killed leaves what it had completed`() async throws {
    let movie = MovieSample.movie(2)
    let spool = try await open()
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    try append(movie + MovieSample.fragment(3).dropLast(), to: recording.path)
    let stored = try await spool.store(recording, metadata: .recording(1))
    #expect(content(stored.path) == movie)
    #expect(try await spool.verifyForDelivery(stored.id) == .intact)
    await spool.close()
  }

  @Test func `a fragment that a failed recorder has not forced to the disk is no part of the item`()
    async throws
  {
    let movie = MovieSample.movie(2)
    let concealed = MovieSample.box("free", Array(repeating: 1, count: 40))
    let media = MovieSample.box("mdat", Array(repeating: 2, count: 50))
    let spool = try await open()
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    try append(movie + concealed + media, to: recording.path)
    let stored = try await spool.store(recording, metadata: .recording(1))
    #expect(content(stored.path) == movie && stored.byteCount == movie.count)
    await spool.close()
  }

  @Test func `a file without a whole fragment is refused, and can be removed`() async throws {
    let spool = try await open()
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    try append(Array(MovieSample.movie(1).dropLast()), to: recording.path)
    for _ in 0..<2 {
      let error = await #expect(throws: SpoolError.self) {
        try await spool.store(recording, metadata: .recording(1))
      }
      #expect(error?.code == .invalid && error?.object == recording.path)
    }
    #expect(recordings.count == 2)
    await spool.discard(recording)
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    let error = await #expect(throws: SpoolError.self) {
      try await spool.store(recording, metadata: .recording(1))
    }
    #expect(error?.code == .unknownItem)
    await #expect(throws: SpoolError.self) {
      try await spool.makeRoom(forBytes: 1, of: recording)
    }
    _ = try await spool.store(.sample(1))
    await spool.close()
  }

  @Test func `metadata that no sidecar can hold are refused at the beginning`() async throws {
    let spool = try await open()
    var metadata = ItemMetadata.recording(1)
    metadata.analogueGain = .nan
    await #expect(throws: SpoolError.self) {
      try await spool.beginRecording(metadata, roomForBytes: 0)
    }
    metadata = .recording(1)
    metadata.rigID = "a/b"
    await #expect(throws: SpoolError.self) {
      try await spool.beginRecording(metadata, roomForBytes: 0)
    }
    #expect(await spool.persistentFailure == nil && recordings == [])
    await spool.close()
  }

  @Test func `the bytes of an open recording count for the limits`() async throws {
    let movie = MovieSample.movie(20)
    let limit = Int64(movie.count) + 500
    let spool = try await open { $0.maximumBytes = limit }
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: limit)
    let error = await #expect(throws: SpoolError.self) {
      try await spool.makeRoom(forBytes: limit + 1, of: recording)
    }
    #expect(error?.code == .full)
    try append(movie, to: recording.path)
    try await spool.checkRoom(forBytes: 500)
    await #expect(throws: SpoolError.self) { try await spool.checkRoom(forBytes: 501) }
    #expect(try await spool.makeRoom(forBytes: 500, of: recording) == movie.count)
    await #expect(throws: SpoolError.self) {
      try await spool.makeRoom(forBytes: 501, of: recording)
    }
    _ = try await spool.store(.sample(1))
    await #expect(throws: SpoolError.self) { try await spool.store(.sample(2)) }
    // The bytes that are there need no more room.
    _ = try await spool.store(recording, metadata: .recording(1))
    try await spool.checkRoom(forBytes: 200)
    await #expect(throws: SpoolError.self) { try await spool.checkRoom(forBytes: 201) }
    await spool.close()
  }

  @Test func `an open recording counts as one item`() async throws {
    let spool = try await open { $0.maximumItems = 2 }
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    _ = try await spool.store(.sample(1))
    await #expect(throws: SpoolError.self) { try await spool.store(.sample(2)) }
    _ = try await spool.makeRoom(forBytes: 100, of: recording)
    try append(MovieSample.movie(1), to: recording.path)
    _ = try await spool.store(recording, metadata: .recording(1))
    await #expect(throws: SpoolError.self) { try await spool.store(.sample(2)) }
    await spool.close()
  }

  @Test func `a recording ends before a full disk, and is stored on one`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files) {
      $0.minimumFreeBytes = 1 << 20
      $0.roomBesideSources = 5000
    }
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    try append(MovieSample.movie(2), to: recording.path)
    let needed = (1 << 20) + 5000 + 700
    files.setRoom(FileSystemRoom(freeBytes: Int64(needed), freeFiles: 100))
    #expect(try await spool.makeRoom(forBytes: 700, of: recording) > 0)
    files.setRoom(FileSystemRoom(freeBytes: Int64(needed - 1), freeFiles: 100))
    let error = await #expect(throws: SpoolError.self) {
      try await spool.makeRoom(forBytes: 700, of: recording)
    }
    #expect(error?.code == .full)
    await #expect(throws: SpoolError.self) {
      try await spool.beginRecording(.recording(2), roomForBytes: 700)
    }
    files.setRoom(FileSystemRoom(freeBytes: 0, freeFiles: 100))
    _ = try await spool.store(recording, metadata: .recording(1))
    #expect(recordings == [])
    await spool.close()
  }

  @Test func `the oldest pictures make room for a recording that grows`() async throws {
    let spool = try await open {
      $0.maximumBytes = 2000
      $0.whenFull = .evictOldest
    }
    let pictures = [
      try await spool.store(.sample(1)), try await spool.store(.sample(2)),
    ]
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 1400)
    #expect(try await spool.counts().evicted == 0)
    _ = try await spool.makeRoom(forBytes: 1500, of: recording)
    #expect(try await spool.item(pictures[0].id)?.state == .evicted)
    #expect(try await spool.item(pictures[1].id)?.state == .stored)
    await spool.close()
  }

  @Test func `a picture replaces a picture, and no recording`() async throws {
    let spool = try await open()
    let page = try await spool.store(.sample(1))
    let recording = try await spool.beginRecording(.recording(2), roomForBytes: 0)
    try append(MovieSample.movie(1), to: recording.path)
    _ = try await spool.store(recording, metadata: .recording(2))
    #expect(try await spool.latestPicturePress() == 1)
    var retake = NewItem.sample(3)
    retake.replacing = [2, 1]
    #expect(try await spool.store(retake).replacedItemID == page.id)
    retake.replacing = [2]
    #expect(try await spool.store(retake).replacedItemID == nil)
    await spool.close()
  }
}
