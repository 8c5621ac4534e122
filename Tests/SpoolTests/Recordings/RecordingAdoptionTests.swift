import Foundation
import Glibc
import TestSupport
import Testing

@testable import Spool

/// Recordings that an earlier run has left open.
struct RecordingAdoptionTests {
  let directory = TestDirectory()

  func open(log: RecordedLog = RecordedLog()) async throws -> Spool {
    let spool = try await Spool.open(
      directory.configuration(), logger: log.logger, environment: SpoolEnvironment(bootID: "c"))
    await spool.finishAdoption()
    return spool
  }

  /// Leaves a recording open.
  func leave(_ bytes: [UInt8], press: Int64 = 5) async throws -> OpenRecording {
    let spool = try await directory.open()
    _ = try await spool.reservePressNumbers(count: Int(press))
    spool.enter(.sample(press))
    try await spool.writePresses()
    let recording = try await spool.beginRecording(.recording(press), roomForBytes: 0)
    try append(bytes, to: recording.path)
    await spool.close()
    return recording
  }

  var files: [String] { TestDirectory.itemFiles(directory.spool) }

  @Test func `a recording left open becomes an item that ends with a whole fragment`()
    async throws
  {
    let movie = MovieSample.movie(2)
    let recording = try await leave(movie + MovieSample.fragment(3).dropLast(5))
    let log = RecordedLog()
    let spool = try await open(log: log)
    let item = try #require(try await spool.item(recording.id))
    #expect(item.state == .stored && content(item.path) == movie)
    var expected = ItemMetadata.recording(5)
    (expected.mediaType, expected.isCutOff) = ("video/mp4", true)
    #expect(item.metadata == expected)
    #expect(log.count("a recording that was cut off is stored") == 1)
    #expect(try await spool.press(5)?.outcome == .stored([recording.id]))
    // The number is not given out again.
    #expect(try await spool.store(.sample(9)).id.sequence == recording.id.sequence + 1)
    #expect(try await spool.verify().isClean)
    await spool.close()
    let again = try await open()
    #expect(again.recovery.isClean)
    #expect(try await again.counts().stored == 2)
    await again.close()
  }

  @Test func `a recording without a whole fragment is removed, and the log says so`() async throws {
    for bytes in [[], Array(MovieSample.movie(1).dropLast())] {
      let recording = try await leave(bytes)
      let log = RecordedLog()
      let spool = try await open(log: log)
      #expect(try await spool.item(recording.id) == nil)
      #expect(files == [])
      #expect(log.count("holds no whole fragment and is removed") == 1)
      #expect(try await spool.press(5)?.outcome == .refused("serviceEnded"))
      await spool.close()
    }
  }

  /// Half a recording is removed, and its press refused; a refusal that came first would stay.
  @Test(arguments: [false, true])
  func `the press of a recording left open has no outcome before the recording has one`(
    isWhole: Bool
  ) async throws {
    let movie = MovieSample.movie(1)
    let recording = try await leave(isWhole ? movie : Array(movie.dropLast()))
    let gate = Gate()
    let files = FaultyFileSystem(root: directory.spool) { step in
      if case .read(let path) = step, path.hasSuffix(".mp4") { gate.pass() }
      return nil
    }
    gate.close()
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "c"))
    try await eventually { gate.isReached }
    let press = try #require(try await spool.press(5))
    #expect(press.outcome == nil && spool.recovery.settledPresses == 0)
    gate.open()
    await spool.finishAdoption()
    let outcome: PressEntry.Outcome =
      isWhole ? .stored([recording.id]) : .refused(PressEntry.serviceEnded)
    #expect(try await spool.press(5)?.outcome == outcome)
    await spool.close()
  }

  @Test func `the end of a long recovery settles the press of a removed recording`() async throws {
    _ = try await leave([])
    let hold = Trigger()
    hold.arm()
    let files = FaultyFileSystem(root: directory.spool) { step in
      if case .list(let path) = step, hold.isArmed, path.hasSuffix("/quarantine") { return EMFILE }
      return nil
    }
    var environment = SpoolEnvironment(files: files, bootID: "c")
    environment.entriesOfStart = 0
    environment.pauseOfRest = .milliseconds(1)
    let spool = try await Spool.open(directory.configuration(), environment: environment)
    await spool.finishAdoption()
    let press = try #require(try await spool.press(5))
    #expect(press.outcome == nil)
    hold.disarm()
    await spool.rest?.value
    #expect(try await spool.press(5)?.outcome == .refused(PressEntry.serviceEnded))
    await spool.close()
  }

  @Test func `a number that an open recording has is not given out before it is stored`()
    async throws
  {
    let recording = try await leave(MovieSample.movie(1))
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(bootID: "c"))
    #expect(try await spool.store(.sample(9)).id.sequence > recording.id.sequence)
    await spool.finishAdoption()
    #expect(try await spool.item(recording.id)?.state == .stored)
    await spool.close()
  }

  @Test func `a recording without its entry has the time of its file`() async throws {
    let recording = try await leave(MovieSample.movie(1))
    let entry = recording.path.replacing(".mp4", with: ".json")
    try write("{\"schema\": 1", to: entry)
    var times = [timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0)]
    try #require(utimes(recording.path, &times) == 0)
    let spool = try await open()
    let metadata = try #require(try await spool.item(recording.id)?.metadata)
    #expect(metadata.rigID == "rig-1" && metadata.pressNumber == nil)
    #expect(metadata.captured.wallNanoseconds == 1_000_000_000_000_000)
    #expect(metadata.isRecording && metadata.isCutOff == true)
    #expect(files.count == 2)
    await spool.close()
  }

  @Test func `leftovers of recordings are cleared, and foreign names left alone`() async throws {
    let recording = try await leave(MovieSample.movie(1))
    let folder = directory.spool + "/recordings/"
    // An entry whose recording is gone, an unfinished entry, and a sidecar without its recording.
    let other = ItemID(boot: 1, sequence: 900, random: 0x42)
    try write("{}", to: folder + "\(other).json")
    try write("{}", to: folder + ".\(other).json.part")
    try write("{}", to: folder + "notes.txt")
    try write(
      "{}", to: directory.spool + "/items/\(recording.id.shard)/\(recording.id).json")
    let spool = try await open()
    #expect(spool.recovery.removedParts == 2 && spool.recovery.lonelySidecars == 0)
    #expect(try await spool.item(recording.id)?.state == .stored)
    #expect(files.filter { $0.hasPrefix("recordings/") } == ["recordings/notes.txt"])
    #expect(files.filter { $0.hasPrefix("quarantine/") } == [])
    await spool.close()
  }

  /// A disk that confirms what it has not written loses the move of a recording, and not its row.
  @Test func `a stored recording whose move is lost gets its place again`() async throws {
    let movie = MovieSample.movie(2)
    var spool = try await directory.open()
    let recording = try await spool.beginRecording(.recording(5), roomForBytes: 0)
    let entry = recording.path.replacing(".mp4", with: ".json")
    let facts = try #require(content(entry))
    try append(movie, to: recording.path)
    let stored = try await spool.store(recording, metadata: .recording(5))
    await spool.close()
    try FileManager.default.moveItem(atPath: stored.path, toPath: recording.path)
    try Data(facts).write(to: URL(fileURLWithPath: entry))
    spool = try await open()
    #expect(spool.recovery.placedRecordings == 1 && spool.recovery.quarantined == 0)
    #expect(try await spool.item(stored.id)?.state == .stored)
    #expect(content(stored.path) == movie && files.count == 2)
    #expect(try await spool.verify().isClean)
    await spool.close()
    // A file that has both names needs only one of them.
    try FileManager.default.linkItem(atPath: stored.path, toPath: recording.path)
    spool = try await open()
    #expect(spool.recovery.placedRecordings == 0 && spool.recovery.removedParts == 1)
    #expect(content(stored.path) == movie && files.count == 2)
    await spool.close()
  }

  @Test func `a recording whose sidecar is lost is still known as one`() async throws {
    let recording = try await leave(MovieSample.movie(1))
    var spool = try await open()
    let path = try #require(try await spool.item(recording.id)).path
    await spool.close()
    unlink(path.replacing(".mp4", with: ".json"))
    for suffix in ["", "-wal", "-shm"] { unlink(directory.spool + "/queue.db" + suffix) }
    spool = try await open()
    #expect(spool.recovery.adoptedWithoutSidecar == 1)
    #expect(try await spool.nextDelivery()?.metadata.mediaType == "video/mp4")
    await spool.close()
  }

  @Test func `a salvage copies recordings that are open`() async throws {
    let movie = MovieSample.movie(1) + [1, 2, 3]
    let recording = try await leave(movie)
    let target = directory.path + "/drive"
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    var copies: [SpoolSalvage.Copy] = []
    try SpoolSalvage(directory: directory.spool).copyAll(to: target) { copies.append($0) }
    #expect(copies.map(\.outcome) == [.unchecked])
    #expect(content("\(target)/\(recording.id).mp4") == movie)
    #expect(content(recording.path) == movie)
  }
}
