import Devices
import Foundation
import RigConfiguration
import Spool
import TestSupport
import Testing

@testable import Service

/// The log and the sidecar of photos that miss their settings.
@Suite(.timeLimit(.minutes(10))) struct ByteBudgetTests {
  private let scratch = ScratchSpool()
  private let log = RecordedLog()

  /// Presses so often, each time when the picture before is stored, and returns the stored items.
  private func take(
    _ count: Int, _ image: ImageSection, in scratch: ScratchSpool,
    cameras: (any CameraSystem) -> any CameraSystem = { $0 }
  ) async throws -> [ItemRecord] {
    let bench = try await PipelineBench(
      scratch, image: image, logger: log.logger, cameras: cameras)
    var taken: [ItemRecord] = []
    for _ in 0..<count {
      let number = try await bench.press()
      taken.append(try #require(try await bench.stored(number)))
    }
    await bench.stop()
    return taken
  }

  @Test func `a met budget is not logged`() async throws {
    let taken = try await take(
      2, try ImageSection.read("minimum_bytes: 20 KiB, maximum_bytes: 120 KiB"), in: scratch)
    #expect(taken.count == 2)
    #expect(log.count("misses its byte budget") == 0)
  }

  @Test func `a missed budget is logged once`() async throws {
    let taken = try await take(
      3, try ImageSection.read("minimum_bytes: 5 MB, maximum_bytes: 6 MB"), in: scratch)
    #expect(taken.count == 3)
    #expect(taken.allSatisfy { $0.byteCount < 5_000_000 })
    #expect(log.count("a photo misses its byte budget") == 1)
    #expect(log.count("notice: a photo misses its byte budget") == 1)
    #expect(log.count("5000000...6000000") == 1)
    #expect(log.count("quality 97 is as near as it gets") == 1)
  }

  @Test func `a picture compressed by the camera ignores the settings`() async throws {
    let plain = try #require(try await take(1, ImageSection(), in: scratch).first)
    #expect(plain.metadata.jpegQuality == 90)
    #expect(plain.metadata.prioritization == .balanced)
    let jpeg = [UInt8](try Data(contentsOf: URL(fileURLWithPath: plain.path)))
    let taken = try await take(
      2, try ImageSection.read("prioritization: speed, maximum_bytes: 10 kB"), in: ScratchSpool(),
      cameras: { ImageBuffer.cameras(of: $0) { _ in jpeg } })
    #expect(taken.count == 2)
    for item in taken {
      #expect(item.byteCount > 10_000)
      #expect(item.metadata.jpegQuality == nil)
      #expect(item.metadata.prioritization == nil, "it is the same whatever counts more")
    }
    #expect(log.count("warning: a photo misses its byte budget") == 1)
    #expect(log.count("the camera compresses its pictures itself") == 1)
  }
}
