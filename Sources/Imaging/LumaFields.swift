import Devices

/// The mean luma of equal fields of a frame that is turned upright.
struct LumaFields {
  /// The number of units in a level of luma; means are counted in these units.
  static let unitsPerLevel = 256
  /// The maximum number of rows of a field that are read.
  private static let maximumRowsPerField = 64

  private let bytes: UnsafeRawBufferPointer
  private let format: StreamFormat
  private let angle: Int

  /// Takes an uncompressed frame whose bytes ``FrameLayout`` has checked.
  init(bytes: UnsafeRawBufferPointer, format: StreamFormat, clockwiseRotation: Int) {
    self.bytes = bytes
    self.format = format
    angle = clockwiseRotation
  }

  /// Computes the means of all fields, row by row from the top left of the upright picture.
  func levels(columns: Int, rows: Int) -> [Int] {
    let isOnItsSide = angle == 90 || angle == 270
    let width = isOnItsSide ? format.size.height : format.size.width
    let height = isOnItsSide ? format.size.width : format.size.height
    var levels: [Int] = []
    for row in 0..<rows {
      let y = (row * height / rows)..<((row + 1) * height / rows)
      for column in 0..<columns {
        let x = (column * width / columns)..<((column + 1) * width / columns)
        levels.append(mean(x, y))
      }
    }
    return levels
  }

  /// Computes the mean of a field of the upright picture, which is a field of the frame too.
  private func mean(_ x: Range<Int>, _ y: Range<Int>) -> Int {
    let (width, height) = (format.size.width, format.size.height)
    func mirrored(_ range: Range<Int>, in length: Int) -> Range<Int> {
      (length - range.upperBound)..<(length - range.lowerBound)
    }
    return switch angle {
    case 90: frameMean(columns: y, rows: mirrored(x, in: height))
    case 180: frameMean(columns: mirrored(x, in: width), rows: mirrored(y, in: height))
    case 270: frameMean(columns: mirrored(y, in: width), rows: x)
    default: frameMean(columns: x, rows: y)
    }
  }

  private func frameMean(columns: Range<Int>, rows: Range<Int>) -> Int {
    let step = max(1, rows.count / Self.maximumRowsPerField)
    var sum = 0
    var count = 0
    for row in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
      sum += rowSum(row, columns)
      count += columns.count
    }
    return sum * Self.unitsPerLevel / max(1, count)
  }

  /// Sums the luma of a part of a row; for RGB the luma of BT.601, in whole levels.
  private func rowSum(_ row: Int, _ columns: Range<Int>) -> Int {
    let start = row * format.bytesPerRow
    var sum = 0
    switch format.pixelFormat {
    case .yuv420, .nv12:
      for column in columns { sum += Int(bytes[start + column]) }
    case .yuyv:
      for column in columns { sum += Int(bytes[start + 2 * column]) }
    case .rgb, .bgr:
      let (red, blue) = format.pixelFormat == .rgb ? (0, 2) : (2, 0)
      for column in columns {
        let pixel = start + 3 * column
        sum +=
          (77 * Int(bytes[pixel + red]) + 150 * Int(bytes[pixel + 1])
            + 29 * Int(bytes[pixel + blue])) >> 8
      }
    case .mjpeg:
      break
    }
    return sum
  }
}
