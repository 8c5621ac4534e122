import API
import Devices
import Foundation
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Capture
@testable import Service

/// The average of several noisy frames, from the press to the stored file.
@Suite(.timeLimit(.minutes(10))) struct FrameAverageTests {
  private static let size = FrameSize(width: 960, height: 540)
  private let scratch = ScratchSpool()

  /// Lets even a busy machine lease the neighbors before the ring has moved on.
  private static func leaveTime(_ configuration: inout CaptureSessionConfiguration) {
    configuration.settings.frameRate = 5
    configuration.maximumCapturesInFlight = 2
    configuration.stream.ringFrameCount = 10
  }

  /// A stored picture with its luma.
  private struct Picture {
    let record: PressRecord
    let photo: StoredPhoto
    let metadata: ItemMetadata
    let luma: [UInt8]
  }

  private func picture(
    _ prioritization: QualityPrioritization, _ bench: PipelineBench
  ) async throws -> Picture {
    // The frames of an earlier picture, and those of an earlier scene, are older.
    let goal = await bench.session.currentStatus.frameCount + 12
    try await eventually { await bench.session.currentStatus.frameCount >= goal }
    var number = try await bench.press(PhotoSettings(prioritization: prioritization))
    var record = try #require(await bench.session.outcome(of: number))
    while case .refused(.frameOverwritten) = record.outcome {
      number = try await bench.press(PhotoSettings(prioritization: prioritization))
      record = try #require(await bench.session.outcome(of: number))
    }
    var stored: StoredPhoto?
    if case .stored(let photo) = record.outcome { stored = photo }
    let photo = try #require(stored, "\(String(describing: record.outcome))")
    let item = try #require(try await bench.spool.item(pressNumber: number))
    let graymap = try Tool.output(of: "djpeg", ["-grayscale", "-pnm", photo.path])
    try #require(graymap.count > Self.size.area)
    return Picture(
      record: record, photo: photo, metadata: item.metadata,
      luma: Array(graymap.suffix(Self.size.area)))
  }

  /// Takes a picture of quality whose neighbors the ring still had, as a busy machine may not.
  private func average(_ bench: PipelineBench) async throws -> Picture {
    while true {
      let picture = try await picture(.quality, bench)
      if picture.metadata.singleFrame != .overwritten { return picture }
    }
  }

  /// Returns the median variance of two pictures' difference in tiles, which is that of the noise.
  ///
  /// Most tiles show the same in both pictures; only the frame counter changes.
  private func noise(_ one: Picture, _ other: Picture) -> Double {
    let side = 20
    let (columns, rows) = (Self.size.width / side, Self.size.height / side)
    let variances = (0..<columns * rows).map { tile in
      var (sum, squares) = (0, 0)
      for y in 0..<side {
        let start = (tile / columns * side + y) * Self.size.width + tile % columns * side
        for index in start..<(start + side) {
          let difference = Int(one.luma[index]) - Int(other.luma[index])
          sum += difference
          squares += difference * difference
        }
      }
      let count = Double(side * side)
      return Double(squares) / count - Double(sum * sum) / (count * count)
    }
    return variances.sorted()[variances.count / 2]
  }

  @Test func `a picture of quality has less noise by the number of its frames`() async throws {
    let counter = LeaseCounter()
    let bench = try await PipelineBench(
      scratch, image: .read("prioritization: quality, quality: 100"),
      cameras: { counter.cameras(of: $0) }
    ) {
      Self.leaveTime(&$0)
      // The right exposure with much gain, and so with much noise.
      $0.settings.controls.exposureMode = .custom(duration: .milliseconds(1), gain: 15)
    }
    bench.world.show(LinearScene())
    let singles = [try await picture(.balanced, bench), try await picture(.balanced, bench)]
    let averages = [try await average(bench), try await average(bench)]

    #expect(singles.allSatisfy { $0.metadata.averagedFrames == nil })
    #expect(singles.allSatisfy { $0.metadata.singleFrame == nil })
    let counts = averages.compactMap(\.metadata.averagedFrames)
    let fewest = try #require(counts.min())
    #expect(
      counts.count == 2 && fewest > 1.9, "\(counts) \(averages.map(\.metadata.singleFrame))")
    let gain = noise(singles[0], singles[1]) / noise(averages[0], averages[1])
    // The rounding of the samples is noise, too. The limit is 1 dB below the ideal.
    #expect(gain > fewest * 0.79, "\(10 * log10(gain)) dB by \(counts) frames")

    let average = averages[0]
    #expect(average.photo.averagedFrames == counts[0] && average.photo.singleFrame == nil)
    #expect(PressReport(average.record, bootID: nil).averagedFrames == counts[0])
    #expect(counter.leases.out == 0, "all frames are back in the camera")
    let tags = try Tool.output(
      of: "exiftool", ["-n", "-s3", "-CompositeImage", "-CompositeImageCount", average.photo.path])
    let lines = String(decoding: tags, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.first == "3")
    let numbers = lines.last?.split(separator: " ").compactMap { Int($0) } ?? []
    #expect(numbers.count == 2 && numbers.allSatisfy { $0 >= 2 }, "\(lines)")
    let findings = try Tool.output(
      of: "exiftool", ["-validate", "-warning", "-error", "-s3", average.photo.path])
    #expect(String(decoding: findings, as: UTF8.self).hasPrefix("OK"))
    await bench.stop()
  }

  /// The frame counter changes with each frame, as a moving hand does.
  @Test func `what moves is shown as in the frame of the press`() async throws {
    let bench = try await PipelineBench(
      scratch, image: .read("prioritization: quality"), change: Self.leaveTime)
    let picture = try await average(bench)
    #expect(picture.metadata.averagedFrames ?? 0 > 1)
    let reading = PageSceneReader(size: Self.size).read(luma: picture.luma)
    #expect(reading.frameNumber == picture.record.frame.map { UInt32(truncatingIfNeeded: $0.id) })
    await bench.stop()
  }

  @Test func `a hot rig stores the frame alone, and says so`() async throws {
    let bench = try await PipelineBench(scratch, image: .read("prioritization: quality"))
    await bench.session.apply(CaptureConstraints(averagesFrames: false))
    let picture = try await picture(.quality, bench)
    #expect(picture.metadata.prioritization == .quality && picture.metadata.jpegQuality == 95)
    #expect(picture.metadata.singleFrame == .heat && picture.metadata.averagedFrames == nil)
    #expect(PressReport(picture.record, bootID: nil).singleFrame == "heat")
    await bench.stop()
  }

  @Test func `frames that cannot be read leave the picture of the press`() async throws {
    // The frames that are leased beside the press's are lost before they are read.
    let counter = LeaseCounter()
    let bench = try await PipelineBench(
      scratch, image: .read("prioritization: quality"),
      cameras: { base in
        RelayedCameras(counter.cameras(of: base)) { lease in
          if counter.leases.out > 1 { lease.end() }
          return lease
        }
      }, change: Self.leaveTime)
    let picture = try await average(bench)
    #expect(picture.metadata.singleFrame == .failed && picture.metadata.averagedFrames == nil)
    #expect(counter.leases.taken > 1 && counter.leases.out == 0)
    await bench.stop()
  }
}
