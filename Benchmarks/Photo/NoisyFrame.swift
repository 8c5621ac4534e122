import Devices

/// A page as a sensor at a high gain sees it, perhaps with a hand over a part.
final class NoisyFrame {
  let format: StreamFormat
  let bytes: UnsafeMutableRawBufferPointer

  /// Makes a frame whose luma has noise with a deviation of about 5.
  ///
  /// - Parameters:
  ///   - gain: the factor of the page's luma.
  ///   - place: the number of the square of the page, from the left, that the hand covers.
  init(_ page: BenchmarkFrame, seed: Int, gain: Double = 1, handAt place: Int? = nil) {
    format = page.format
    bytes = .allocate(byteCount: page.bytes.count, alignment: 64)
    bytes.copyBytes(from: page.bytes)
    let size = format.size
    let side = min(size.width, size.height) / 6
    let factor = Int(gain * 256)
    var random = UInt64(seed)
    for row in 0..<size.height {
      for column in 0..<size.width {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // The sum of three numbers of 0...10 has a deviation of 5.5.
        let noise = (random >> 33) % 11 + (random >> 41) % 11 + (random >> 49) % 11
        let index = row * format.bytesPerRow + column
        var level = Int(bytes[index])
        if let place, row / side == 2, column / side == place { level = 60 + row % 7 * 8 }
        level = (level * factor) >> 8 + Int(noise) - 15
        bytes[index] = UInt8(min(max(level, 0), 255))
      }
    }
  }

  deinit { bytes.deallocate() }

  /// Returns the mean squared difference of a frame's luma from a page, below the hand.
  static func meanSquare(_ bytes: UnsafeRawBufferPointer, _ page: BenchmarkFrame) -> Double {
    let size = page.format.size
    let rows = size.height / 2..<size.height
    var sum = 0
    for row in rows {
      for column in 0..<size.width {
        let index = row * page.format.bytesPerRow + column
        let difference = Int(bytes[index]) - Int(page.bytes[index])
        sum += difference * difference
      }
    }
    return Double(sum) / Double(rows.count * size.width)
  }
}
