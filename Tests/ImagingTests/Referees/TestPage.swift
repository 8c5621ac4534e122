import Devices

/// A page of a book as luma: lines of words, headings and pictures, different for each number.
struct TestPage {
  let width: Int
  let height: Int
  private(set) var luma: [Double]

  init(_ number: UInt64, width: Int = 360, height: Int = 480) {
    self.width = width
    self.height = height
    luma = [Double](repeating: 225, count: width * height)
    var random = SeededNoise(state: number &* 0x9E37_79B9)
    var top = 20
    while top < height - 40 {
      switch random.next(8) {
      case 0:  // A picture with a shade of its own.
        let (left, breadth) = (20 + random.next(120), 80 + random.next(160))
        let depth = 40 + random.next(100)
        let (shade, slope) = (60 + random.next(130), Double(random.next(100)) / 100)
        fill(left..<left + breadth, top..<top + depth) { x, y in
          Double(shade) + slope * Double(x - left) / 2 + Double((x / 9 + y / 7) % 3) * 12
        }
        top += depth + 14
      case 1:  // The end of a chapter.
        top += 40 + random.next(80)
      default:  // A paragraph.
        for _ in 0..<2 + random.next(7) {
          var x = 24 + random.next(20)
          let end = width - 24 - random.next(60)
          while x < end {
            let word = 6 + random.next(36)
            fill(x..<min(x + word, end), top..<top + 5) { x, y in (x &* 7 + y) % 3 == 0 ? 200 : 45 }
            x += word + 5
          }
          top += 10
        }
        top += 8 + random.next(20)
      }
    }
  }

  private mutating func fill(
    _ columns: Range<Int>, _ rows: Range<Int>, _ shade: (Int, Int) -> Double
  ) {
    for y in rows.clamped(to: 0..<height) {
      for x in columns.clamped(to: 0..<width) { luma[y * width + x] = shade(x, y) }
    }
  }

  /// Returns the page as taken again: lit otherwise, moved a little, and with a sensor's noise.
  func taken(
    _ shot: UInt64, gain: Double = 1, offset: Double = 0, slope: Double = 0, shift: Int = 0,
    noise: Int = 0
  ) -> TestPage {
    var page = self
    var random = SeededNoise(state: shot &+ 77)
    for y in 0..<height {
      for x in 0..<width {
        let source = luma[min(y + shift, height - 1) * width + min(x + shift, width - 1)]
        let light = 1 + slope * (Double(x) / Double(width) - 0.5)
        let grain = noise == 0 ? 0 : Double(random.next(2 * noise + 1) - noise)
        page.luma[y * width + x] = min(max(source * gain * light + offset + grain, 0), 255)
      }
    }
    return page
  }

  /// Returns the page as a frame.
  func frame(_ pixelFormat: PixelFormat, _ colorSpace: ColorSpace = .jpeg) -> TestFrame {
    TestFrame(pixelFormat, colorSpace, width: width, height: height, extraBytesPerRow: 6) { x, y in
      let level = luma[y * width + x].rounded()
      return RGB(red: level, green: level, blue: level)
    }
  }
}

/// A generator of numbers that look random, the same for the same seed.
struct SeededNoise {
  var state: UInt64

  /// Returns a number from 0 to below a limit.
  mutating func next(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(limit))
  }
}
