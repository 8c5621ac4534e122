import Foundation
import Glibc
import TestSupport
import Testing

@testable import Spool

/// Faults of the medium while a recording is stored: no acknowledgment, and nothing is lost.
struct RecordingFailureTests {
  /// The steps of storing a recording with a cut fragment, by their names in the journal.
  static let steps = [
    "truncate .*mp4", "sync .*mp4", "create .*json.part", "write .*json.part", "sync .*json.part",
    "rename .*json", "sync 42", "rename .*mp4", "sync recordings", "will enqueue.*",
  ]

  let directory = TestDirectory()
  let movie = MovieSample.movie(2)

  func open(_ files: any FileSystem) async throws -> Spool {
    try await Spool.open(
      directory.configuration(),
      environment: SpoolEnvironment(files: files, bootID: "b", random: { 0x42 }))
  }

  /// Begins a recording and leaves it with a cut fragment.
  func record(_ spool: Spool) async throws -> OpenRecording {
    let recording = try await spool.beginRecording(.recording(1), roomForBytes: 0)
    try append(movie + MovieSample.fragment(3).dropLast(), to: recording.path)
    return recording
  }

  /// Checks that there is one whole recording, and nothing besides.
  func check(_ spool: Spool, _ id: ItemID) async throws {
    let item = try #require(try await spool.item(id))
    #expect(item.state == .stored && content(item.path) == movie)
    #expect(try await spool.counts().stored == 1)
    #expect(try await spool.verify().isClean)
    #expect(TestDirectory.itemFiles(directory.spool).count == 2)
  }

  @Test func `the steps of a recording come in the order that a crash needs`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files)
    let opening = files.journal.count
    let recording = try await record(spool)
    let id = recording.id
    #expect(
      files.journal.dropFirst(opening).map(\.description) == [
        "mkdir recordings", "sync spool", "create .\(id).json.part", "write .\(id).json.part",
        "sync .\(id).json.part", "rename .\(id).json.part \(id).json", "sync recordings",
        "create \(id).mp4", "sync recordings",
      ])
    let begun = files.journal.count
    _ = try await spool.store(recording, metadata: .recording(1))
    #expect(
      files.journal.dropFirst(begun).map(\.description) == [
        "create .\(id).json.part", "write .\(id).json.part", "sync .\(id).json.part",
        "rename .\(id).json.part \(id).json", "sync recordings",
        "sync \(id).mp4", "drop \(id).mp4", "truncate \(id).mp4", "sync \(id).mp4",
        "create .\(id).json.part", "write .\(id).json.part", "sync .\(id).json.part",
        "rename .\(id).json.part \(id).json", "sync 42", "rename \(id).mp4 \(id).mp4", "sync 42",
        "sync recordings",
        "will enqueue(\(id))", "did enqueue(\(id))", "unlink \(id).json",
      ])
    await spool.close()
  }

  @Test(arguments: steps, [false, true])
  func `an input or output error acknowledges nothing, and the restart stores the recording`(
    step: String, isEntryWritten: Bool
  ) async throws {
    let trigger = Trigger()
    let files = FaultyFileSystem(root: directory.spool) { done in
      // The file is read after its entry was written.
      if case .dropPages = done { trigger.arm() }
      guard trigger.isArmed, let expression = try? Regex(step) else { return nil }
      return done.description.wholeMatch(of: expression) == nil ? nil : EIO
    }
    let spool = try await open(files)
    let recording = try await record(spool)
    if !isEntryWritten { trigger.arm() }
    let error = await #expect(throws: SpoolError.self) {
      try await spool.store(recording, metadata: .recording(1))
    }
    #expect(error?.code == .failed)
    #expect(await spool.persistentFailure == error)
    trigger.disarm()
    await #expect(throws: SpoolError.self) {
      try await spool.store(recording, metadata: .recording(1))
    }
    #expect(try await spool.counts().stored == 0)
    await spool.close()
    let again = try await directory.open()
    await again.finishAdoption()
    try await check(again, recording.id)
    await again.close()
  }

  @Test(arguments: steps.filter { !$0.hasPrefix("sync") }, [ENOSPC, EDQUOT])
  func `a full disk refuses a recording, which can be stored later`(
    step: String, number: Int32
  ) async throws {
    let trigger = Trigger()
    let files = SpoolFailureTests.layer(directory, failing: step, with: number, after: trigger)
    let spool = try await open(files)
    let recording = try await record(spool)
    let before = TestDirectory.itemFiles(directory.spool)
    trigger.arm()
    let error = await #expect(throws: SpoolError.self) {
      try await spool.store(recording, metadata: .recording(1))
    }
    #expect(error?.code == .full)
    #expect(TestDirectory.itemFiles(directory.spool) == before)
    #expect(try await spool.counts().stored == 0)
    trigger.disarm()
    _ = try await spool.store(recording, metadata: .recording(1))
    try await check(spool, recording.id)
    await spool.close()
  }

  @Test func `a full disk gives the ballast for the sidecar of a recording`() async throws {
    let trigger = Trigger()
    // The disk is full until the ballast is gone.
    let files = FaultyFileSystem(root: directory.spool) { step in
      if case .unlink(let path) = step, path.hasSuffix("/ballast") { trigger.disarm() }
      if case .create(let path) = step, trigger.isArmed, path.hasSuffix(".json.part") {
        return ENOSPC
      }
      return nil
    }
    let spool = try await Spool.open(
      directory.configuration { $0.ballastBytes = 64 << 10 },
      environment: SpoolEnvironment(files: files, bootID: "b", random: { 0x42 }))
    let recording = try await record(spool)
    trigger.arm()
    _ = try await spool.store(recording, metadata: .recording(1))
    #expect(!trigger.isArmed)
    await spool.close()
  }

  @Test func `a recording that cannot be begun leaves nothing behind`() async throws {
    for step in ["create .*json.part", "write .*json.part", "rename .*json", "create .*mp4"] {
      let trigger = Trigger()
      let files = SpoolFailureTests.layer(directory, failing: step, with: ENOSPC, after: trigger)
      let spool = try await open(files)
      trigger.arm()
      let error = await #expect(throws: SpoolError.self) {
        try await spool.beginRecording(.recording(1), roomForBytes: 0)
      }
      #expect(error?.code == .full)
      #expect(TestDirectory.itemFiles(directory.spool) == [], "\(step)")
      #expect(await spool.persistentFailure == nil)
      await spool.close()
    }
  }

  @Test func `bytes that a failed synchronization has lost are no part of a recording`()
    async throws
  {
    let trigger = Trigger()
    let files = SpoolFailureTests.layer(
      directory, failing: "sync .*mp4", with: EIO, after: trigger)
    let first = try await open(files)
    let recording = try await first.beginRecording(.recording(1), roomForBytes: 0)
    var promises = RecordingCrashTests.Promises()
    try RecordingCrashTests.grow(recording, by: movie, on: files, &promises)
    trigger.arm()
    #expect(throws: FileSystemError.self) {
      try RecordingCrashTests.grow(
        recording, by: MovieSample.fragment(3), on: files, &promises)
    }
    #expect(content(recording.path) == MovieSample.movie(3))
    // Another synchronization succeeds, and writes nothing.
    trigger.disarm()
    await first.close()
    let second = try await open(files)
    await second.finishAdoption()
    try await check(second, recording.id)
    await second.close()
  }

  /// Removes a recording while a step fails, and checks that the next start does not store it.
  func expectDiscarded(
    failing step: String, with number: Int32, hasFailed: Bool = false
  ) async throws {
    let trigger = Trigger()
    let files = SpoolFailureTests.layer(directory, failing: step, with: number, after: trigger)
    let spool = try await open(files)
    let recording = try await record(spool)
    trigger.arm()
    if hasFailed {
      await #expect(throws: SpoolError.self) {
        try await spool.store(recording, metadata: .recording(1))
      }
      trigger.disarm()
    }
    await spool.discard(recording)
    let failure = await spool.persistentFailure
    #expect((failure != nil) == hasFailed)
    await spool.close()
    let again = try await directory.open()
    await again.finishAdoption()
    #expect(try await again.item(recording.id) == nil)
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    await again.close()
  }

  @Test(arguments: [("unlink .*mp4.*", EIO), ("unlink .*", EIO), ("rename .*mp4.*", ENOSPC)])
  func `a recording that was given up is not stored, although a file cannot be removed`(
    step: String, number: Int32
  ) async throws {
    try await expectDiscarded(failing: step, with: number)
  }

  @Test func `a failed spool still removes a recording that was given up`() async throws {
    try await expectDiscarded(failing: "sync .*mp4", with: EIO, hasFailed: true)
  }

  @Test func `a recording that was refused is stored in the same run, once it can be read`()
    async throws
  {
    let trigger = Trigger()
    let files = SpoolFailureTests.layer(
      directory, failing: "read .*mp4", with: EIO, after: trigger)
    var environment = SpoolEnvironment(files: files, bootID: "b", random: { 0x42 })
    environment.pausesOfAttempts = (.milliseconds(1), .milliseconds(50))
    let spool = try await Spool.open(directory.configuration(), environment: environment)
    var press = PressEntry.sample(1)
    press.outcome = .refused("storage")
    _ = try await spool.reservePressNumbers(count: 1)
    spool.enter(press)
    try await spool.writePresses()
    let recording = try await record(spool)
    trigger.arm()
    let error = await #expect(throws: SpoolError.self) {
      try await spool.store(recording, metadata: .recording(1))
    }
    await spool.storeLater(recording, metadata: .recording(1), after: try #require(error))
    try await eventually { files.journal.count(where: { "\($0)".hasPrefix("drop") }) > 3 }
    #expect(try await spool.counts().stored == 0)
    trigger.disarm()
    try await eventually { try await spool.counts().stored == 1 }
    try await check(spool, recording.id)
    #expect(try await spool.press(1)?.outcome == .stored([recording.id]))
    await spool.close()
  }

  @Test(arguments: ["read .*mp4", "drop .*mp4"])
  func `an unreadable recording waits for the next start`(step: String) async throws {
    let trigger = Trigger()
    let files = SpoolFailureTests.layer(directory, failing: step, with: EIO, after: trigger)
    let first = try await open(files)
    let recording = try await record(first)
    trigger.arm()
    let error = await #expect(throws: SpoolError.self) {
      try await first.store(recording, metadata: .recording(1))
    }
    #expect(error?.code == .unreadable)
    #expect(await first.persistentFailure == nil)
    await first.close()
    let second = try await open(files)
    await second.finishAdoption()
    #expect(try await second.counts().stored == 0)
    await second.close()
    trigger.disarm()
    let third = try await open(files)
    await third.finishAdoption()
    try await check(third, recording.id)
    await third.close()
  }
}
