import Devices
import Imaging

/// A small copy of a frame: luma, and chroma for each pixel.
struct SmallPicture: Sendable {
  let width: Int
  let height: Int
  /// The luma, row by row from the top left; 0 is black, and 255 is white.
  var luma: [UInt8]
  /// The chroma of BT.601, 128 without color; empty if the copy was made without colors.
  private(set) var blue: [UInt8] = []
  private(set) var red: [UInt8] = []

  /// Takes samples without colors.
  init(width: Int, height: Int, luma: [UInt8]) {
    (self.width, self.height, self.luma) = (width, height, luma)
  }

  /// Converts a small copy.
  init(_ frame: ScaledFrame, withColors: Bool) {
    let format = frame.format
    (width, height) = (format.size.width, format.size.height)
    luma = []
    if format.pixelFormat == .yuv420 {
      readLumaChroma(frame, withColors: withColors)
    } else {
      readRGB(frame, withColors: withColors)
    }
  }

  /// Returns the largest size of a number of pixels that keeps a frame's shape.
  static func size(of frame: FrameSize, pixels: Double) -> FrameSize {
    let factor = min(1, (pixels / Double(max(frame.area, 1))).squareRoot())
    func side(_ length: Int) -> Int {
      min(max(Int((Double(length) * factor).rounded()), 1), max(length, 1))
    }
    return FrameSize(width: side(frame.width), height: side(frame.height))
  }

  /// The picture with light and dark exchanged, in the same colors.
  var negative: SmallPicture {
    var negative = self
    negative.luma = luma.map { 255 - $0 }
    return negative
  }

  /// The chroma in blue and in red, each as the light of a picture; none without color.
  var chroma: [SmallPicture] {
    [blue, red].filter { !$0.isEmpty }.map { plane in
      var picture = self
      picture.luma = plane
      return picture
    }
  }

  /// Returns the index of the pixel at a point; `nil` outside the picture.
  func index(at point: SIMD2<Double>) -> Int? {
    guard point.x >= 0, point.y >= 0, point.x < Double(width), point.y < Double(height) else {
      return nil
    }
    return Int(point.y) * width + Int(point.x)
  }

  private mutating func readLumaChroma(_ frame: ScaledFrame, withColors: Bool) {
    let planes = frame.format.planes
    // An unspecified color space counts as limited, as in pictures.
    let isFull = frame.format.colorSpace == .jpeg
    let levels = (0...255).map { sample -> UInt8 in
      let level = isFull ? sample : (sample - 16) * 255 / 219
      return UInt8(min(max(level, 0), 255))
    }
    luma.reserveCapacity(width * height)
    for row in 0..<height {
      let first = row * planes[0].bytesPerRow
      let samples = frame.bytes[first..<first + width]
      if isFull { luma += samples } else { luma += samples.lazy.map { levels[Int($0)] } }
    }
    guard withColors else { return }
    for row in 0..<height {
      let first = row / 2 * planes[1].bytesPerRow
      for column in 0..<width {
        blue.append(frame.bytes[planes[1].offset + first + column / 2])
        red.append(frame.bytes[planes[2].offset + first + column / 2])
      }
    }
  }

  private mutating func readRGB(_ frame: ScaledFrame, withColors: Bool) {
    let (redFirst, blueFirst) = frame.format.pixelFormat == .rgb ? (0, 2) : (2, 0)
    func chroma(_ color: Int, _ luma: Int, _ scale: Int) -> UInt8 {
      UInt8(min(max(128 + (((color - luma) * scale) >> 8), 0), 255))
    }
    let (width, height, bytesPerRow) = (width, height, frame.format.bytesPerRow)
    luma = frame.bytes.withUnsafeBufferPointer { bytes in
      [UInt8](unsafeUninitializedCapacity: width * height) { luma, count in
        for row in 0..<height {
          for column in 0..<width {
            let pixel = row * bytesPerRow + 3 * column
            let (red, blue) = (Int(bytes[pixel + redFirst]), Int(bytes[pixel + blueFirst]))
            let level = (77 * red + 150 * Int(bytes[pixel + 1]) + 29 * blue) >> 8
            luma[count] = UInt8(truncatingIfNeeded: level)
            count += 1
          }
        }
      }
    }
    guard withColors else { return }
    for row in 0..<height {
      for column in 0..<width {
        let pixel = row * bytesPerRow + 3 * column
        let level = Int(luma[row * width + column])
        blue.append(chroma(Int(frame.bytes[pixel + blueFirst]), level, 144))
        red.append(chroma(Int(frame.bytes[pixel + redFirst]), level, 183))
      }
    }
  }
}

extension [Int] {
  /// Returns the level that a share of the counted samples does not exceed; 255 without samples.
  func level(atShare share: Double) -> Int {
    let least = Double(reduce(0, +)) * share
    var sum = 0
    for (level, count) in enumerated() {
      sum += count
      if sum > 0, Double(sum) >= least { return level }
    }
    return 255
  }
}
