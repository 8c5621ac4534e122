import Devices

/// A page of text with a sensor's noise, as a YUV420 frame in JFIF's color space.
struct BenchmarkFrame {
  let format: StreamFormat
  let bytes: [UInt8]

  /// Makes the frame; the same size gives the same frame.
  init(width: Int, height: Int) {
    format = StreamFormat(
      size: FrameSize(width: width, height: height), pixelFormat: .yuv420,
      bytesPerRow: (width + 63) / 64 * 64, colorSpace: .jpeg)
    var bytes = [UInt8](repeating: 128, count: format.byteCount)
    var random = UInt64(width)
    func next() -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return random >> 33
    }
    let lineHeight = max(height / 60, 12)
    let em = max(width / 150, 8)
    for line in 0..<height / lineHeight {
      // A line has words of strokes with gaps between them; some lines are empty.
      var ink = [Bool](repeating: false, count: width)
      var column = width / 12
      let end = line % 9 == 8 ? 0 : width - width / 12 - Int(next() % UInt64(max(width / 5, 1)))
      while column < end {
        let word = em + Int(next() % UInt64(6 * em))
        for position in column..<min(column + word, end) { ink[position] = position / 3 % 3 != 0 }
        column += word + em
      }
      for row in line * lineHeight..<(line + 1) * lineHeight {
        let isText = row % lineHeight > lineHeight / 3
        let start = row * format.bytesPerRow
        for column in 0..<width {
          let level: UInt64 = isText && ink[column] ? 50 : 215
          bytes[start + column] = UInt8(level + next() % 9)
        }
      }
    }
    self.bytes = bytes
  }
}
