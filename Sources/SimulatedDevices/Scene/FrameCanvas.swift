import Devices
import Glibc

/// A color in BT.601 with the full range.
struct SceneColor: Sendable, Hashable {
  var luma: UInt8
  var blue: UInt8 = 128
  var red: UInt8 = 128

  /// The color as R, G, B (JFIF 1.02, section "Conversion to and from RGB").
  var rgb: [UInt8] {
    let y = Double(luma)
    let cb = Double(blue) - 128
    let cr = Double(red) - 128
    return [y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb]
      .map { UInt8(min(max($0.rounded(), 0), 255)) }
  }
}

/// A color with a little noise, prepared for painting in rows.
struct SceneBrush: Sendable {
  /// The number of pixels after which the noise repeats; rows are shifted by up to this number.
  static let noisePeriod = 512

  let color: SceneColor
  /// Whether chroma is painted too; ink keeps the paper's chroma.
  let paintsChroma: Bool
  /// The samples of one row of the first plane, long enough for every shift.
  let row: [UInt8]

  init(_ color: SceneColor, format: StreamFormat, paintsChroma: Bool = true, noise: Int = 2) {
    self.color = color
    self.paintsChroma = paintsChroma
    let samples: [UInt8] =
      switch format.pixelFormat {
      case .rgb: color.rgb
      case .bgr: color.rgb.reversed()
      default: [color.luma]
      }
    var period: [UInt8] = []
    var random = SplitMix64(seed: 7)
    let span = UInt64(2 * noise + 1)
    for _ in 0..<SceneBrush.noisePeriod {
      let deviation = Int(random.next() % span) - noise
      for sample in samples { period.append(UInt8(min(max(Int(sample) + deviation, 0), 255))) }
    }
    var row: [UInt8] = []
    for _ in 0..<(format.size.width / SceneBrush.noisePeriod + 2) { row += period }
    self.row = row
  }
}

/// A canvas that paints rectangles of color into the memory of a frame.
struct FrameCanvas {
  let format: StreamFormat
  let base: UnsafeMutableRawPointer
  private let planes: [StreamFormat.Plane]
  let bytesPerPixel: Int
  /// The shift of each row's noise, in pixels.
  private let shifts: [Int]

  /// Makes a canvas on memory of at least `format.byteCount` bytes, which must outlive it.
  init(format: StreamFormat, base: UnsafeMutableRawPointer) {
    self.format = format
    self.base = base
    planes = format.planes
    bytesPerPixel = FrameCanvas.bytesPerPixel(of: format)
    var random = SplitMix64(seed: 8)
    shifts = (0..<format.size.height).map { _ in
      Int(random.next() % UInt64(SceneBrush.noisePeriod))
    }
  }

  func fill(_ rectangle: PixelRectangle, with brush: SceneBrush) {
    let width = rectangle.right - rectangle.left
    guard width > 0, rectangle.bottom > rectangle.top else { return }
    brush.row.withUnsafeBytes { row in
      guard let source = row.baseAddress else { return }
      for y in rectangle.top..<rectangle.bottom {
        memcpy(
          base + y * planes[0].bytesPerRow + rectangle.left * bytesPerPixel,
          source + (shifts[y] + rectangle.left) * bytesPerPixel, width * bytesPerPixel)
      }
    }
    if brush.paintsChroma { fillChroma(rectangle, with: brush.color) }
  }

  /// Paints a number as a row of black and white blocks, without noise, into the first plane.
  static func fill(
    _ rectangle: PixelRectangle, with number: UInt64, in code: BlockCode, format: StreamFormat,
    base: UnsafeMutableRawPointer
  ) {
    guard rectangle.right > rectangle.left, rectangle.bottom > rectangle.top else { return }
    let bytesPerPixel = bytesPerPixel(of: format)
    let first = base + rectangle.top * format.bytesPerRow
    let word = code.word(of: number)
    for index in 0..<code.blockCount {
      let block = rectangle.block(index, of: code.blockCount)
      memset(
        first + block.left * bytesPerPixel, code.isBlack(index, in: word) ? 16 : 235,
        (block.right - block.left) * bytesPerPixel)
    }
    let start = rectangle.left * bytesPerPixel
    let count = (rectangle.right - rectangle.left) * bytesPerPixel
    for y in (rectangle.top + 1)..<rectangle.bottom {
      memcpy(base + y * format.bytesPerRow + start, first + start, count)
    }
  }

  private static func bytesPerPixel(of format: StreamFormat) -> Int {
    format.pixelFormat == .rgb || format.pixelFormat == .bgr ? 3 : 1
  }

  private func fillChroma(_ rectangle: PixelRectangle, with color: SceneColor) {
    let columns = (rectangle.left / 2)..<((rectangle.right + 1) / 2)
    let rows = (rectangle.top / 2)..<((rectangle.bottom + 1) / 2)
    switch format.pixelFormat {
    case .yuv420:
      for (plane, value) in zip(planes.dropFirst(), [color.blue, color.red]) {
        for y in rows {
          memset(
            base + plane.offset + y * plane.bytesPerRow + columns.lowerBound, Int32(value),
            columns.count)
        }
      }
    case .nv12:
      var pairs: [UInt8] = []
      pairs.reserveCapacity(2 * columns.count)
      for _ in columns { pairs += [color.blue, color.red] }
      for y in rows {
        let start = base + planes[1].offset + y * planes[1].bytesPerRow
        _ = pairs.withUnsafeBytes { pairs in
          pairs.baseAddress.map { memcpy(start + 2 * columns.lowerBound, $0, pairs.count) }
        }
      }
    case .rgb, .bgr, .yuyv, .mjpeg:
      break
    }
  }
}
