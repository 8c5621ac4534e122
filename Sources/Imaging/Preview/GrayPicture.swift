package import Devices

/// A small gray picture.
package struct GrayPicture: Sendable, Hashable {
  /// The numbers of columns and rows, at least 1 each.
  package let size: FrameSize
  /// The luma, row by row from the top left; 0 is black, and 255 is white.
  package let luma: [UInt8]

  /// Makes a picture from luma with exactly one sample for each pixel.
  package init(size: FrameSize, luma: [UInt8]) {
    precondition(luma.count == size.area, "\(luma.count) samples are no picture of \(size)")
    self.size = size
    self.luma = luma
  }

  /// Returns the picture turned clockwise by 0, 90, 180 or 270 degrees; other angles count as 0.
  package func turned(clockwise angle: Int) -> GrayPicture {
    let (width, height) = (size.width, size.height)
    switch angle {
    case 90:
      return make(height, width) { column, row in (row, height - 1 - column) }
    case 180:
      return make(width, height) { column, row in (width - 1 - column, height - 1 - row) }
    case 270:
      return make(height, width) { column, row in (width - 1 - row, column) }
    default: return self
    }
  }

  private func make(
    _ columns: Int, _ rows: Int, _ source: (Int, Int) -> (column: Int, row: Int)
  ) -> GrayPicture {
    var turned: [UInt8] = []
    turned.reserveCapacity(luma.count)
    for row in 0..<rows {
      for column in 0..<columns {
        let from = source(column, row)
        turned.append(luma[from.row * size.width + from.column])
      }
    }
    return GrayPicture(size: FrameSize(width: columns, height: rows), luma: turned)
  }

  /// Returns the picture resampled to the largest size within a limit that keeps its shape.
  ///
  /// - Parameters:
  ///   - limit: the maximum numbers of columns and rows.
  ///   - pixelAspect: the ratio of a result pixel's width to its height; about 0.5 for the
  ///     characters of a terminal.
  package func fitted(within limit: FrameSize, pixelAspect: Double = 1) -> GrayPicture {
    let shape = Double(size.width) / Double(size.height) / pixelAspect
    let columns = min(Double(limit.width), Double(limit.height) * shape)
    let fitted = FrameSize(
      width: min(max(Int(columns.rounded()), 1), limit.width),
      height: min(max(Int((columns / shape).rounded()), 1), limit.height))
    var result: [UInt8] = []
    result.reserveCapacity(fitted.area)
    for row in 0..<fitted.height {
      let rows = Self.span(row, of: fitted.height, in: size.height)
      for column in 0..<fitted.width {
        result.append(mean(Self.span(column, of: fitted.width, in: size.width), rows))
      }
    }
    return GrayPicture(size: fitted, luma: result)
  }

  /// Returns the samples that one of `count` equal parts covers, at least one.
  static func span(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
    let first = min(index * length / count, length - 1)
    return first..<max((index + 1) * length / count, first + 1)
  }

  private func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> UInt8 {
    var sum = 0
    for row in rows {
      for column in columns { sum += Int(luma[row * size.width + column]) }
    }
    let count = columns.count * rows.count
    return UInt8(truncatingIfNeeded: (sum + count / 2) / count)
  }
}
