import Devices
import Foundation

/// A color with parts from 0 to 255.
struct RGB: Equatable {
  var red: Double
  var green: Double
  var blue: Double

  /// Returns the largest difference of a part.
  func distance(to other: RGB) -> Double {
    max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
  }

  /// Returns luma and chroma as a camera would write them, by BT.601 and BT.709.
  func samples(_ colorSpace: ColorSpace) -> (luma: Double, cb: Double, cr: Double) {
    let isBT709 = colorSpace == .bt709Limited
    let (kr, kb) = isBT709 ? (0.2126, 0.0722) : (0.299, 0.114)
    let luma = (kr * red + (1 - kr - kb) * green + kb * blue) / 255
    let cb = (blue / 255 - luma) / (2 * (1 - kb))
    let cr = (red / 255 - luma) / (2 * (1 - kr))
    return colorSpace == .jpeg
      ? (luma * 255, 128 + cb * 255, 128 + cr * 255)
      : (16 + luma * 219, 128 + cb * 224, 128 + cr * 224)
  }
}

/// A frame painted by a function, in any format, with junk wherever no sample lies.
struct TestFrame {
  var format: StreamFormat
  var bytes: [UInt8]

  init(format: StreamFormat, bytes: [UInt8]) {
    self.format = format
    self.bytes = bytes
  }

  init(
    _ pixelFormat: PixelFormat, _ colorSpace: ColorSpace, width: Int, height: Int,
    extraBytesPerRow: Int = 0, paint: (_ column: Int, _ row: Int) -> RGB
  ) {
    let chroma = (width + 1) / 2
    let narrowest =
      switch pixelFormat {
      case .yuv420, .nv12: 2 * chroma
      case .yuyv: 4 * chroma
      case .rgb, .bgr: 3 * width
      case .mjpeg: 0
      }
    let format = StreamFormat(
      size: FrameSize(width: width, height: height), pixelFormat: pixelFormat,
      bytesPerRow: narrowest + extraBytesPerRow, colorSpace: colorSpace)
    let planes = format.planes
    var bytes = (0..<format.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 151) }
    func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
    /// Returns the mean color of the pixels that share a chroma sample.
    func shared(_ column: Int, _ row: Int, rows: Int) -> RGB {
      var sum = RGB(red: 0, green: 0, blue: 0)
      var count = 0.0
      for y in row..<min(row + rows, height) {
        for x in column..<min(column + 2, width) {
          let color = paint(x, y)
          sum.red += color.red
          sum.green += color.green
          sum.blue += color.blue
          count += 1
        }
      }
      return RGB(red: sum.red / count, green: sum.green / count, blue: sum.blue / count)
    }
    for row in 0..<height {
      for column in 0..<width {
        let color = paint(column, row)
        let start = row * format.bytesPerRow
        switch pixelFormat {
        case .rgb:
          bytes[start + 3 * column] = byte(color.red)
          bytes[start + 3 * column + 1] = byte(color.green)
          bytes[start + 3 * column + 2] = byte(color.blue)
        case .bgr:
          bytes[start + 3 * column] = byte(color.blue)
          bytes[start + 3 * column + 1] = byte(color.green)
          bytes[start + 3 * column + 2] = byte(color.red)
        case .yuyv:
          bytes[start + 2 * column] = byte(color.samples(colorSpace).luma)
          if column % 2 == 0 {
            let samples = shared(column, row, rows: 1).samples(colorSpace)
            bytes[start + 2 * column + 1] = byte(samples.cb)
            bytes[start + 2 * column + 3] = byte(samples.cr)
          }
        case .yuv420, .nv12:
          bytes[start + column] = byte(color.samples(colorSpace).luma)
          if column % 2 == 0, row % 2 == 0 {
            let samples = shared(column, row, rows: 2).samples(colorSpace)
            let (x, y) = (column / 2, row / 2)
            if pixelFormat == .yuv420 {
              bytes[planes[1].offset + y * planes[1].bytesPerRow + x] = byte(samples.cb)
              bytes[planes[2].offset + y * planes[2].bytesPerRow + x] = byte(samples.cr)
            } else {
              bytes[planes[1].offset + y * planes[1].bytesPerRow + 2 * x] = byte(samples.cb)
              bytes[planes[1].offset + y * planes[1].bytesPerRow + 2 * x + 1] = byte(samples.cr)
            }
          }
        case .mjpeg: break
        }
      }
    }
    self.format = format
    self.bytes = bytes
  }

  /// Returns a painter of eight bars of 75 %, mirrored in the lower half.
  ///
  /// The bars are white, yellow, cyan, green, magenta, red, blue and black.
  static func bars(width: Int, height: Int) -> (Int, Int) -> RGB {
    { column, row in
      let bar = column * 8 / width
      return color(ofBar: row < height / 2 ? bar : 7 - bar)
    }
  }

  static func color(ofBar bar: Int) -> RGB {
    RGB(
      red: bar & 2 == 0 ? 191 : 0, green: bar & 4 == 0 ? 191 : 0, blue: bar & 1 == 0 ? 191 : 0)
  }

  /// Returns a painter of a smooth asymmetric picture, well inside the colors of all formats.
  static func gradient(width: Int, height: Int) -> (Int, Int) -> RGB {
    { column, row in
      let x = Double(column) / Double(max(width - 1, 1))
      let y = Double(row) / Double(max(height - 1, 1))
      return RGB(
        red: 60 + 120 * x, green: 80 + 100 * y, blue: 70 + 60 * x + 50 * (1 - y))
    }
  }
}
