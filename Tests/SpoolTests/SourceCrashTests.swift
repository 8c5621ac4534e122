import Foundation
import Glibc
import Testing

@testable import Spool

/// The machine stops before every step of taking over a file, and the remaining spool is opened.
struct SourceCrashTests {
  static let bytes = NewItem.sample(9, bytes: 5000).bytes

  /// The result of a replay.
  struct Campaign {
    var points = 0
    var violations: [String] = []
    /// The numbers of points after which only the file, only the item, or both were there.
    var files = 0
    var items = 0
    var both = 0
  }

  /// Stores a file and a picture again and again, each time one step further.
  ///
  /// - Parameter isDurable: whether the file was on stable storage before.
  static func replay(
    _ crash: FaultyFileSystem.Crash, isElsewhere: Bool, isDurable: Bool = true,
    lies: Set<FaultyFileSystem.Lie> = []
  ) async throws -> Campaign {
    var campaign = Campaign()
    for point in 0..<300 {
      let directory = TestDirectory()
      let path = try directory.source(bytes)
      if !isDurable { unlink(path) }
      let survivor = directory.path + "/survivor"
      let files = FaultyFileSystem(
        root: directory.spool, sources: directory.sources, crashAt: point, crash: crash,
        survivor: survivor, seed: UInt64(point) &* 7919, lies: lies
      ) { step in
        guard isElsewhere, case .link = step else { return nil }
        return EXDEV
      }
      if !isDurable { try files.writeVolatile(path, bytes) }
      let ledger = await run(path, on: files, configuration: directory.configuration())
      guard files.hasCrashed else { break }
      campaign.points += 1
      let configuration = directory.configuration { $0.directory = survivor }
      let hasFile = content(files.sourcesSurvivor + "/video") == bytes
      do {
        campaign.violations += try await Invariants(
          ledger: ledger, configuration: configuration, isRestBehind: point.isMultiple(of: 2)
        ).violations().map { "point \(point): \($0)" }
      } catch {
        campaign.violations.append("point \(point): \(error)")
      }
      let hasItem = TestDirectory.itemFiles(survivor).contains { name in
        name.hasPrefix("items/") && name.hasSuffix(".mp4")
          && content(survivor + "/" + name) == bytes
      }
      switch (hasFile, hasItem) {
      case (true, true): campaign.both += 1
      case (true, false): campaign.files += 1
      case (false, true): campaign.items += 1
      case (false, false):
        if isDurable { campaign.violations.append("point \(point): the file is lost") }
      }
    }
    return campaign
  }

  private static func run(
    _ path: String, on files: FaultyFileSystem, configuration: SpoolConfiguration
  ) async -> Ledger {
    var ledger = Ledger()
    let picture = NewItem.sample(2)
    ledger.offered = [bytes, picture.bytes]
    do {
      let numbers = NumberSource(seed: 3)
      let spool = try await Spool.open(
        configuration,
        environment: SpoolEnvironment(files: files, bootID: "boot-a", random: { numbers.next() }))
      let video = try await spool.store(.sample(1, file: path))
      if !files.hasCrashed { ledger.acknowledged[video.id] = bytes }
      let stored = try await spool.store(picture)
      if !files.hasCrashed { ledger.acknowledged[stored.id] = picture.bytes }
      await spool.close()
    } catch {
      // The machine has stopped; the ledger has the promises.
    }
    return ledger
  }

  @Test(arguments: FaultyFileSystem.Crash.allCases, [false, true])
  func `A crash before any step leaves the file or its item`(
    crash: FaultyFileSystem.Crash, isElsewhere: Bool
  ) async throws {
    let campaign = try await Self.replay(crash, isElsewhere: isElsewhere)
    #expect(campaign.violations == [])
    #expect((25..<300).contains(campaign.points))
    // The replay meets the time before, the time between and the time after.
    #expect(campaign.files > 0)
    #expect(campaign.items > 0)
    #expect(campaign.both > 0)
  }

  @Test func `A file that nobody has forced to the disk is whole once it is stored`() async throws {
    let campaign = try await Self.replay(.powerCut, isElsewhere: false, isDurable: false)
    #expect(campaign.violations == [])
    let lying = try await Self.replay(
      .powerCut, isElsewhere: false, isDurable: false, lies: [.fileSync])
    let expected = try Regex("acknowledged .* is not intact|acknowledged .* is quarantined")
    #expect(lying.violations.contains { $0.contains(expected) }, "\(lying.violations)")
  }
}
