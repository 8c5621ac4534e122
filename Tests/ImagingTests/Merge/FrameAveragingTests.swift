import Devices
import TestSupport
import Testing

@testable import Imaging

struct FrameAveragingTests {
  /// The gain of 6 dB, as a ratio of mean squares; five frames can have 7 dB.
  private static let gain = 3.98

  private func average(_ frames: [TestFrame]) throws -> (frame: TestFrame, count: Double) {
    let (frame, merged) = try TestFrame.merge(frames) {
      try FrameAveraging.average($0, format: $1, threadCount: 2)
    }
    return (frame, merged.meanFrameCount)
  }

  @Test(arguments: [PixelFormat.yuv420, .nv12, .yuyv, .rgb, .bgr])
  func `Five frames of a static page have less noise by 6 dB`(_ format: PixelFormat) throws {
    var scene = MergeScene(3)
    let paint = scene.texture()
    let clean = scene.frame(as: format, paint)
    let frames = (0..<5).map { _ in scene.frame(as: format, noise: 6, paint) }
    let merged = try average(frames)
    let ratio = frames[0].meanSquare(from: clean) / merged.frame.meanSquare(from: clean)
    #expect(ratio > Self.gain && merged.count > 4.9, "seed \(TestSeed.value)")
  }

  @Test
  func `Shifted frames lower the noise where all of them show the scene`() throws {
    var scene = MergeScene(4)
    let paint = scene.texture()
    let clean = scene.frame(paint)
    let frames = [(0, 0), (5, -3), (-16, 16), (16, -16), (0, 7)].map { right, down in
      scene.frame(noise: 6) { paint($0 - right, $1 - down) }
    }
    let merged = try average(frames).frame
    let (columns, rows) = (40..<MergeScene.size.width - 40, 40..<MergeScene.size.height - 40)
    let ratio =
      frames[0].meanSquare(from: clean, columns, rows)
      / merged.meanSquare(from: clean, columns, rows)
    #expect(ratio > Self.gain, "seed \(TestSeed.value)")
  }

  @Test
  func `A moving hand leaves no ghost`() throws {
    var scene = MergeScene(5)
    let (page, hand) = (scene.texture(), scene.texture(30, 80))
    let rows = 60..<100
    func columns(_ place: Int) -> Range<Int> { 20 + 34 * place..<68 + 34 * place }
    func paint(_ place: Int) -> MergeScene.Paint {
      { column, row in
        guard rows.contains(row), columns(place).contains(column) else { return page(column, row) }
        return hand(column - columns(place).lowerBound, row)
      }
    }
    let clean = scene.frame(paint(2))
    let frames = [2, 0, 1, 3, 4].map { scene.frame(noise: 6, paint($0)) }
    let merged = try average(frames).frame
    // Only the first frame is used at its own hand.
    #expect(
      merged.brightness(columns(2), rows) == frames[0].brightness(columns(2), rows),
      "seed \(TestSeed.value)")
    for place in [0, 1, 3, 4] {
      let difference = merged.meanSquare(from: clean, columns(place), rows)
      let noise = frames[0].meanSquare(from: clean, columns(place), rows)
      #expect(difference < noise, "place \(place), seed \(TestSeed.value)")
    }
    #expect(
      merged.meanSquare(from: clean) < frames[0].meanSquare(from: clean) / 2,
      "seed \(TestSeed.value)")
  }
}
