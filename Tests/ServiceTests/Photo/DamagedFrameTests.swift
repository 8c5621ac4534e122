import API
import Capture
import Devices
import Foundation
import Spool
import Synchronization
import TestSupport
import Testing

@testable import Service

/// Frames of a USB camera that lost packets of their middle.
@Suite(.timeLimit(.minutes(10))) struct DamagedFrameTests {
  private let log = RecordedLog()

  /// Takes a picture with a camera whose frames are images that a closure gives.
  private func take(
    cameras: (any CameraSystem) -> any CameraSystem = { $0 }
  ) async throws -> (item: ItemRecord, report: PressReport, jpeg: [UInt8]) {
    let scratch = ScratchSpool()
    let bench = try await PipelineBench(scratch, logger: log.logger, cameras: cameras) {
      // Even a busy machine leases the neighbor before the ring has moved on.
      $0.settings.frameRate = 5
      $0.stream.ringFrameCount = 10
    }
    try await eventually { await bench.session.currentStatus.frameCount >= 5 }
    let number = try await bench.press()
    let item = try #require(try await bench.stored(number))
    let record = try #require(await bench.session.outcome(of: number))
    let jpeg = [UInt8](try Data(contentsOf: URL(fileURLWithPath: item.path)))
    await bench.stop()
    return (item, PressReport(record, bootID: nil), jpeg)
  }

  @Test func `a damaged frame gives way to its neighbor, and is stored if that is damaged, too`()
    async throws
  {
    let whole = try await take().jpeg
    #expect(whole.count > 10_000 && log.count("a frame came damaged") == 0)
    let middle = whole.count * 2 / 3
    let torn = Array(whole[..<middle] + whole[(middle + 2000)...])

    let first = Mutex<UInt64?>(nil)
    let healed = try await take { cameras in
      ImageBuffer.cameras(of: cameras) { info in
        let isFirst = first.withLock { first in
          if first == nil { first = info.id }
          return first == info.id
        }
        return isFirst ? torn : whole
      }
    }
    #expect(healed.item.metadata.isDamaged == nil && healed.report.isDamaged == nil)
    #expect(healed.jpeg.count > torn.count)
    #expect(log.count("warning: a frame came damaged, its neighbor is taken") == 1)

    let damaged = try await take { ImageBuffer.cameras(of: $0) { _ in torn } }
    #expect(damaged.item.metadata.isDamaged == true && damaged.report.isDamaged == true)
    #expect(damaged.jpeg.count < healed.jpeg.count)
    #expect(log.count("warning: a frame came damaged, and is stored without a whole one") == 1)
  }

  @Test func `the frames of a bracket are checked as they are stored, and not as they come`()
    async throws
  {
    let whole = try await take().jpeg
    let middle = whole.count * 2 / 3
    let torn = Array(whole[..<middle] + whole[(middle + 2000)...])
    let scratch = ScratchSpool()
    // The second step alone is torn: its exposure is the longest.
    let bench = try await PipelineBench(
      scratch, logger: log.logger,
      cameras: { base in
        ImageBuffer.cameras(of: base) { info in
          info.exposureDuration ?? .zero > .milliseconds(15) ? torn : whole
        }
      })
    let settings = PhotoSettings(bracket: try Bracket("ms=5,30"))
    let record = try await BracketPipelineTests().storedBracket(bench, settings)
    guard case .stored(let photo) = record.outcome else {
      Issue.record("the press was refused: \(String(describing: record.outcome))")
      return
    }
    let ids = ([photo.itemID] + photo.companionIDs).compactMap { ItemID($0) }
    let items = try await bench.spool.items(ids)
    #expect(ids.map { items[$0]?.metadata.isDamaged } == [nil, true])
    #expect(photo.isDamaged && PressReport(record, bootID: nil).isDamaged == true)
    #expect(log.count("warning: a frame of a bracket came damaged, and is stored as it is") == 1)
    #expect(log.count("a frame came damaged") == 0)
    await bench.stop()
  }
}
