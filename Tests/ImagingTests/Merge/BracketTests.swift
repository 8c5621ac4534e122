import Devices
import Foundation
import TestSupport
import Testing

@testable import Imaging

struct BracketTests {
  private static let width = MergeScene.size.width
  private static let rows = 0..<MergeScene.size.height

  @Test
  func `Fused exposures keep the detail of a scene of 14 stops`() throws {
    var scene = MergeScene(6)
    let paint = scene.texture(0.75, 1)
    let frames = [0.0, 7, 14].map { stops in
      scene.frame { column, row in
        // The left half is 14 stops darker than the right half.
        let exposure = column < Self.width / 2 ? stops - 14 : stops
        let light = 0.3 * paint(column, row) * exp2(exposure)
        let coded = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return min(coded * 255, 255)
      }
    }
    /// Returns the mean difference of neighboring squares in the half that has less detail.
    func detail(_ frame: TestFrame) -> Double {
      var least = Double.infinity
      for first in [8, Self.width / 2 + 8] {
        let one = frame.brightness(first..<first + 90, Self.rows)
        let other = frame.brightness(first + 3..<first + 93, Self.rows)
        let sum = zip(one, other).reduce(0.0) { $0 + abs($1.0 - $1.1) }
        least = min(least, sum / Double(one.count))
      }
      return least
    }
    let fused = try TestFrame.merge(frames) { try ExposureFusion.fuse($0, format: $1) }.0
    #expect(frames.allSatisfy { detail($0) < 1 }, "seed \(TestSeed.value)")
    #expect(detail(fused) > 6, "seed \(TestSeed.value)")
    // The dark half stays darker at the border, too.
    let left = fused.brightness(Self.width / 2 - 8..<Self.width / 2, Self.rows)
    let right = fused.brightness(Self.width / 2..<Self.width / 2 + 8, Self.rows)
    #expect(left.reduce(0, +) < right.reduce(0, +), "seed \(TestSeed.value)")
  }

  @Test
  func `A focus stack takes each half from the frame that is sharp there`() throws {
    var scene = MergeScene(7)
    let paint = scene.texture()
    func blurred(_ column: Int, _ row: Int) -> Double {
      var sum = 0.0
      for y in row - 4...row + 4 { for x in column - 4...column + 4 { sum += paint(x, y) } }
      return sum / 81
    }
    let sharp = scene.frame(paint)
    let frames = [true, false].map { isLeftSharp in
      scene.frame(noise: 2) { column, row in
        (column < Self.width / 2) == isLeftSharp ? paint(column, row) : blurred(column, row)
      }
    }
    let stacked = try TestFrame.merge(frames) { try FocusStacking.stack($0, format: $1) }.0
    for columns in [0..<Self.width / 2 - 44, Self.width / 2 + 44..<Self.width] {
      let worst = frames.map { $0.meanSquare(from: sharp, columns, Self.rows) }.max() ?? 0
      #expect(worst > 500, "seed \(TestSeed.value)")
      #expect(stacked.meanSquare(from: sharp, columns, Self.rows) < 8, "seed \(TestSeed.value)")
    }
  }

  @Test(arguments: 0..<3)
  func `The number of stripes changes no byte`(_ kind: Int) throws {
    var scene = MergeScene(8)
    let paint = scene.texture()
    let frames = [1, 0.5, 1.2].map { gain in scene.frame(noise: 3) { paint($0, $1) * gain } }
    func merged(_ threadCount: Int) throws -> [UInt8] {
      let result = try TestFrame.merge(frames) { frames, format in
        switch kind {
        case 0: try FrameAveraging.average(frames, format: format, threadCount: threadCount)
        case 1: try ExposureFusion.fuse(frames, format: format, threadCount: threadCount)
        default: try FocusStacking.stack(frames, format: format, threadCount: threadCount)
        }
      }
      return result.0.bytes
    }
    let whole = try merged(1)
    for count in [2, 5, 1000] {
      #expect(try merged(count) == whole, "\(count) stripes, seed \(TestSeed.value)")
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `Equal frames of any kind and size stay as they are`(_ number: UInt64) throws {
    var generator = TestSeed.generator(900 + number)
    let frame = TestFrame.random(upTo: 70, using: &generator)
    let merges: [TestFrame.Merge] = [
      { try FrameAveraging.average($0, format: $1) }, { try ExposureFusion.fuse($0, format: $1) },
      { try FocusStacking.stack($0, format: $1) },
    ]
    for (index, merge) in merges.enumerated() {
      let result = try TestFrame.merge([frame, frame, frame], merge).0
      #expect(result.format == frame.format)
      for samples in SampleGrid.all(of: frame.format) {
        #expect(
          result.samples(samples) == frame.samples(samples),
          "merge \(index) of \(frame.format), seed \(TestSeed.value)")
      }
    }
  }

  @Test
  func `Compressed frames and no frames are refused`() throws {
    var scene = MergeScene(9)
    let frame = scene.frame { _, _ in 128 }
    var format = frame.format
    format.pixelFormat = .mjpeg
    let jpeg = TestFrame(format: format, bytes: frame.bytes)
    let none = #expect(throws: ImagingError.self) {
      try FrameAveraging.average([], format: frame.format)
    }
    #expect(none?.code == .unsupported)
    let compressed = #expect(throws: ImagingError.self) {
      try TestFrame.merge([jpeg]) { try ExposureFusion.fuse($0, format: $1) }
    }
    #expect(compressed?.code == .unsupported)
  }
}
