import Devices
import Testing

@testable import SimulatedDevices

@Suite struct PageScenePainterTests {
  private static func format(_ pixelFormat: PixelFormat) -> StreamFormat {
    let size = FrameSize(width: 330, height: 200)
    let bytes = pixelFormat == .rgb || pixelFormat == .bgr ? 3 : 1
    return StreamFormat(
      size: size, pixelFormat: pixelFormat, bytesPerRow: (330 * bytes + 63) / 64 * 64,
      colorSpace: .jpeg)
  }

  private func painted(
    _ painter: inout PageScenePainter, _ format: StreamFormat, into bytes: inout [UInt8],
    page: Int, turn: QuarterTurn, number: UInt32, buffer: Int
  ) {
    bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      painter.paint(page: page, turn: turn, number: number, buffer: buffer, base: base)
    }
  }

  @Test(arguments: QuarterTurn.allCases)
  func `a hand covers a part of the page and goes without a trace`(_ turn: QuarterTurn) {
    let format = Self.format(.yuv420)
    var painter = PageScenePainter(format: format)
    let pictures = [false, true, false].map { hasHand in
      var bytes = [UInt8](repeating: 0, count: format.byteCount)
      bytes.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        painter.paint(page: 3, turn: turn, number: 1, buffer: 0, hasHand: hasHand, base: base)
      }
      return Array(bytes.prefix(format.bytesPerRow * format.size.height))
    }
    let changed = zip(pictures[0], pictures[1]).count { $0 != $1 }
    #expect(changed > format.size.area / 50 && changed < format.size.area / 5)
    #expect(pictures[0] == pictures[2])
  }

  @Test(arguments: [PixelFormat.yuv420, .nv12, .rgb, .bgr], [UInt64](1...2))
  func `a frame is a function of its input, with any old content of the buffer`(
    pixelFormat: PixelFormat, seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let format = Self.format(pixelFormat)
    var used = PageScenePainter(format: format)
    var buffers = [[UInt8]](
      repeating: [UInt8](repeating: 0, count: format.byteCount), count: 3)
    for step in 0..<12 {
      let page = Int(random.next() % 3)
      let turn = QuarterTurn.allCases[Int(random.next() % 4)]
      let number = UInt32(truncatingIfNeeded: random.next())
      let buffer = Int(random.next() % 3)
      painted(
        &used, format, into: &buffers[buffer], page: page, turn: turn, number: number,
        buffer: buffer)
      var fresh = PageScenePainter(format: format)
      var bytes = [UInt8](repeating: 0, count: format.byteCount)
      painted(&fresh, format, into: &bytes, page: page, turn: turn, number: number, buffer: 0)
      #expect(bytes == buffers[buffer], "seed \(seed) step \(step)")
    }
  }

  @Test func `pages, turns and numbers differ`() {
    let format = Self.format(.yuv420)
    var seen: Set<[UInt8]> = []
    for page in 0..<3 {
      for turn in QuarterTurn.allCases {
        for number: UInt32 in [0, 1, .max] {
          var painter = PageScenePainter(format: format)
          var bytes = [UInt8](repeating: 0, count: format.byteCount)
          painted(
            &painter, format, into: &bytes, page: page, turn: turn, number: number, buffer: 0)
          seen.insert(bytes)
        }
      }
    }
    #expect(seen.count == 3 * 4 * 3)
  }

  @Test func `planar and interleaved chroma are equal`() {
    let planar = Self.format(.yuv420)
    let interleaved = Self.format(.nv12)
    var first = [UInt8](repeating: 0, count: planar.byteCount)
    var second = [UInt8](repeating: 0, count: interleaved.byteCount)
    var painter = PageScenePainter(format: planar)
    painted(&painter, planar, into: &first, page: 1, turn: .none, number: 5, buffer: 0)
    painter = PageScenePainter(format: interleaved)
    painted(&painter, interleaved, into: &second, page: 1, turn: .none, number: 5, buffer: 0)
    let luma = planar.planes[0].byteCount
    #expect(first[0..<luma] == second[0..<luma])
    var mismatches = 0
    for y in 0..<100 {
      for x in 0..<165 {
        let pair = interleaved.planes[1].offset + y * interleaved.bytesPerRow + 2 * x
        let blue = planar.planes[1].offset + y * planar.planes[1].bytesPerRow + x
        let red = planar.planes[2].offset + y * planar.planes[2].bytesPerRow + x
        if first[blue] != second[pair] || first[red] != second[pair + 1] { mismatches += 1 }
      }
    }
    #expect(mismatches == 0)
  }

  @Test func `the mark is red in RGB`() {
    let format = Self.format(.rgb)
    var bytes = [UInt8](repeating: 0, count: format.byteCount)
    var painter = PageScenePainter(format: format)
    painted(&painter, format, into: &bytes, page: 1, turn: .none, number: 5, buffer: 0)
    let pixel = 25 * format.bytesPerRow + 165 * 3
    #expect(bytes[pixel] > 120)
    #expect(bytes[pixel + 1] < 60)
    #expect(bytes[pixel + 2] < 60)
  }
}
