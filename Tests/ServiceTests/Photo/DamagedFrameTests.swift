import API
import Capture
import Devices
import Foundation
import SimulatedDevices
import Spool
import Synchronization
import TestSupport
import Testing

@testable import Service

/// Frames of a USB camera that lost packets of their middle.
@Suite(.timeLimit(.minutes(10))) struct DamagedFrameTests {
  private let log = RecordedLog()

  /// Returns a bench with some frames in its ring.
  private func bench(
    _ scratch: ScratchSpool, cameras: (any CameraSystem) -> any CameraSystem
  ) async throws -> PipelineBench {
    let bench = try await PipelineBench(scratch, logger: log.logger, cameras: cameras)
    try await eventually { await bench.session.currentStatus.frameCount >= 5 }
    return bench
  }

  /// Returns an image that lost a packet of its middle.
  private func torn(_ whole: [UInt8]) -> [UInt8] {
    let middle = whole.count * 2 / 3
    return Array(whole[..<middle] + whole[(middle + 2000)...])
  }

  /// Takes a picture with a camera whose frames are images that a closure gives.
  private func take(
    cameras: (any CameraSystem) -> any CameraSystem = { $0 }
  ) async throws -> (item: ItemRecord, report: PressReport, jpeg: [UInt8]) {
    let scratch = ScratchSpool()
    let bench = try await bench(scratch, cameras: cameras)
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
    let torn = torn(whole)

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

  @Test func `the neighbor of a damaged frame has its own angle and the source of that`()
    async throws
  {
    let whole = try await take().jpeg
    let torn = torn(whole)
    let scratch = ScratchSpool()
    let damaged = Mutex<UInt64?>(nil)
    let bench = try await bench(scratch) { base in
      ImageBuffer.cameras(of: base) { info in
        let isDamaged = damaged.withLock { $0 == info.id }
        return isDamaged ? torn : whole
      }
    }
    let frame = try #require(bench.world.deliveredFrames().last)
    damaged.withLock { $0 = frame.id }
    // Gravity tells before and after the frame, and not at its exposure. Its return takes readings
    // that agree.
    let after = (0..<RotationCoordinator.agreement).map { (100 + 10 * $0, false) }
    for (offset, isFlat) in [(-300, false), (-100, true)] + after {
      let gravity = Acceleration.standardGravity
      await bench.session.update(
        AccelerometerSample(
          acceleration: Acceleration(x: 0, y: isFlat ? 0 : gravity, z: isFlat ? gravity : 0),
          time: frame.exposureMidpoint.advanced(by: .milliseconds(offset))))
    }
    let number = try await bench.session.press(at: frame.exposureMidpoint, source: .button)
    let item = try #require(try await bench.stored(number))
    #expect(item.metadata.orientationSource == .gravity)
    #expect(log.count("warning: a frame came damaged, its neighbor is taken") == 1)
    await bench.stop()
  }

  @Test func `the frames of a bracket are checked as they are stored, and not as they come`()
    async throws
  {
    let whole = try await take().jpeg
    let torn = torn(whole)
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
