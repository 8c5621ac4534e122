import Foundation
import Glibc
import Testing

@testable import Spool

/// The machine stops before every step of recordings, and the remaining spool is opened.
struct RecordingCrashTests {
  /// The promises about recordings when the machine stopped.
  struct Promises {
    var ledger = Ledger()
    /// The bytes of each recording that its recorder has forced to the disk.
    var synced: [ItemID: Int] = [:]
    /// The recordings that were removed.
    var discarded: Set<ItemID> = []
  }

  struct Campaign {
    var points = 0
    var adopted = 0
    var violations: [String] = []
  }

  /// Records a part, as a recorder does that forces each fragment to the disk.
  static func grow(
    _ recording: OpenRecording, by part: [UInt8], on files: FaultyFileSystem,
    _ promises: inout Promises
  ) throws {
    let descriptor = try files.open(recording.path, flags: O_WRONLY | O_APPEND, mode: 0)
    defer { files.close(descriptor) }
    try files.writeAll(descriptor, part.span.bytes, path: recording.path)
    try files.sync(descriptor, path: recording.path)
    promises.synced[recording.id, default: 0] += part.count
  }

  /// Runs until the end or until the machine stops: one recording stored, one removed, one open.
  static func life(
    on files: FaultyFileSystem, configuration: SpoolConfiguration
  ) async -> Promises {
    var promises = Promises()
    for first in [10, 20, 30] {
      for count in 1...3 {
        promises.ledger.offered.insert(MovieSample.movie(count, first: first))
      }
    }
    let picture = NewItem.sample(1)
    promises.ledger.offered.insert(picture.bytes)
    do {
      let numbers = NumberSource(seed: 4)
      let spool = try await Spool.open(
        configuration,
        environment: SpoolEnvironment(files: files, bootID: "boot-a", random: { numbers.next() }))
      for (press, first) in [10, 20, 30].enumerated() {
        let recording = try await spool.beginRecording(
          .recording(Int64(press + 1)), roomForBytes: 0)
        try grow(recording, by: MovieSample.beginning, on: files, &promises)
        for number in first..<first + 3 {
          try grow(recording, by: MovieSample.fragment(number), on: files, &promises)
        }
        switch press {
        case 0:
          let stored = try await spool.store(picture)
          if !files.hasCrashed { promises.ledger.acknowledged[stored.id] = picture.bytes }
          // The recorder was killed in the middle of a fragment.
          try grow(
            recording, by: Array(MovieSample.fragment(1).dropLast()), on: files, &promises)
          let item = try await spool.store(recording, metadata: .recording(1))
          if !files.hasCrashed {
            promises.ledger.acknowledged[item.id] = MovieSample.movie(3, first: first)
          }
        case 1:
          promises.synced[recording.id] = nil
          await spool.discard(recording)
          if !files.hasCrashed { promises.discarded.insert(recording.id) }
        default: break
        }
      }
      await spool.close()
    } catch {
      // The machine has stopped; the ledger has the promises.
    }
    return promises
  }

  /// Returns what a start has made of the recordings that is not as promised.
  static func violations(
    _ promises: Promises, _ configuration: SpoolConfiguration, _ campaign: inout Campaign
  ) async -> [String] {
    do {
      return try await check(promises, configuration, &campaign)
    } catch {
      return ["\(error)"]
    }
  }

  private static func check(
    _ promises: Promises, _ configuration: SpoolConfiguration, _ campaign: inout Campaign
  ) async throws -> [String] {
    var violations = try await Invariants(
      ledger: promises.ledger, configuration: configuration,
      isRestBehind: campaign.points.isMultiple(of: 2)
    ).violations()
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "d"))
    await spool.finishAdoption()
    let movies = try await spool.recentItems(limit: 100).filter { $0.path.hasSuffix(".mp4") }
    let ends = MovieSample.ends(3)
    for movie in movies {
      if movie.metadata.isCutOff == true { campaign.adopted += 1 }
      if !movie.metadata.isRecording { violations.append("\(movie.id) has lost its metadata") }
    }
    for (id, count) in promises.synced where count >= ends[0] {
      let kept = movies.first { $0.id == id }?.byteCount ?? 0
      if kept < ends.last(where: { $0 <= count }) ?? 0 {
        violations.append("of \(count) bytes of \(id), \(kept) are kept")
      }
    }
    for id in promises.discarded where movies.contains(where: { $0.id == id }) {
      violations.append("removed \(id) is there again")
    }
    await spool.close()
    return violations
  }

  @Test(arguments: FaultyFileSystem.Crash.allCases)
  func `A crash before any step loses no fragment that was on the disk`(
    crash: FaultyFileSystem.Crash
  ) async throws {
    var campaign = Campaign()
    for point in 0..<300 {
      let directory = TestDirectory()
      let survivor = directory.path + "/survivor"
      let files = FaultyFileSystem(
        root: directory.spool, crashAt: point, crash: crash, survivor: survivor,
        seed: UInt64(point) &* 7919)
      let promises = await Self.life(on: files, configuration: directory.configuration())
      guard files.hasCrashed else { break }
      campaign.points += 1
      let found = await Self.violations(
        promises, directory.configuration { $0.directory = survivor }, &campaign)
      campaign.violations += found.map { "point \(point): \($0)" }
    }
    #expect(campaign.violations == [])
    #expect((60..<300).contains(campaign.points))
    #expect(campaign.adopted > 10)
  }

  @Test(arguments: FaultyFileSystem.Crash.allCases)
  func `A crash while the recordings of an earlier crash are stored loses none`(
    crash: FaultyFileSystem.Crash
  ) async throws {
    let origin = TestDirectory()
    let lived = FaultyFileSystem(root: origin.spool)
    let promises = await Self.life(on: lived, configuration: origin.configuration())
    var campaign = Campaign()
    for point in 0..<200 {
      let directory = TestDirectory()
      let (middle, survivor) = (directory.path + "/middle", directory.path + "/survivor")
      try FileManager.default.copyItem(atPath: origin.spool, toPath: middle)
      let files = FaultyFileSystem(
        root: middle, crashAt: point, crash: crash, survivor: survivor, seed: UInt64(point))
      let spool = try? await Spool.open(
        directory.configuration { $0.directory = middle },
        environment: SpoolEnvironment(files: files, bootID: "boot-c"))
      await spool?.finishAdoption()
      await spool?.close()
      guard files.hasCrashed else { break }
      campaign.points += 1
      let found = await Self.violations(
        promises, directory.configuration { $0.directory = survivor }, &campaign)
      campaign.violations += found.map { "point \(point): \($0)" }
    }
    #expect(campaign.violations == [])
    #expect(campaign.points > 10)
    #expect(campaign.adopted > 10)
  }

  /// The promises need each of these calls.
  @Test(arguments: [FaultyFileSystem.Lie.fileSync, .directorySync])
  func `A disk that does not sync is noticed`(lie: FaultyFileSystem.Lie) async throws {
    var campaign = Campaign()
    for point in 30..<120 {
      let directory = TestDirectory()
      let survivor = directory.path + "/survivor"
      let files = FaultyFileSystem(
        root: directory.spool, crashAt: point, crash: .powerCut, survivor: survivor,
        seed: UInt64(point), lies: [lie])
      let promises = await Self.life(on: files, configuration: directory.configuration())
      guard files.hasCrashed else { break }
      let found = await Self.violations(
        promises, directory.configuration { $0.directory = survivor }, &campaign)
      campaign.violations += found
    }
    #expect(campaign.violations.contains { $0.contains("are kept") })
  }
}
