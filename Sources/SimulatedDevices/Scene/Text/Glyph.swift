/// A letter's bitmap, kept as sums, so that the ink in any part of it takes four look-ups.
struct Glyph: Sendable {
  /// The advance of the pen, in bitmap pixels like all other lengths.
  let advance: Int
  /// The distance of the bitmap's left edge to the right of the pen.
  let left: Int
  /// The distance of the bitmap's top edge below the ascender line.
  let top: Int
  let width: Int
  let height: Int
  /// The number of ink pixels above and left of each corner, row by row with `width` + 1 corners.
  private let sums: [Int32]

  /// Makes a glyph from rows with 8 pixels per byte, the leftmost in the highest bit.
  init(advance: Int, left: Int, top: Int, width: Int, height: Int, rows: ArraySlice<UInt8>) {
    self.advance = advance
    self.left = left
    self.top = top
    self.width = width
    self.height = height
    let corners = width + 1
    let bytesPerRow = (width + 7) / 8
    var sums = [Int32](repeating: 0, count: corners * (height + 1))
    for y in 0..<height {
      var inRow: Int32 = 0
      for x in 0..<width {
        let byte = rows[rows.startIndex + y * bytesPerRow + x / 8]
        if byte >> (7 - UInt8(x % 8)) & 1 == 1 { inRow += 1 }
        sums[(y + 1) * corners + x + 1] = sums[y * corners + x + 1] + inRow
      }
    }
    self.sums = sums
  }

  /// Makes the stencil of the glyph in another size.
  ///
  /// - Parameter scale: the number of picture pixels for a bitmap pixel.
  func stencil(scale: Double) -> Stencil {
    guard width > 0, height > 0 else {
      return Stencil(left: 0, top: 0, width: 0, height: 0, coverage: [])
    }
    let left = Int((Double(self.left) * scale).rounded(.down))
    let top = Int((Double(self.top) * scale).rounded(.down))
    let right = Int((Double(self.left + width) * scale).rounded(.up))
    let bottom = Int((Double(self.top + height) * scale).rounded(.up))
    let columns = right - left
    let xs = (left...right).map { Double($0) / scale - Double(self.left) }
    let ys = (top...bottom).map { Double($0) / scale - Double(self.top) }
    var coverage: [UInt8] = []
    coverage.reserveCapacity(columns * (bottom - top))
    var above = xs.map { ink(left: $0, above: ys[0]) }
    for y in ys.dropFirst() {
      let below = xs.map { ink(left: $0, above: y) }
      for column in 0..<columns {
        let ink = below[column + 1] - below[column] - above[column + 1] + above[column]
        coverage.append(UInt8(min(max((ink * scale * scale * 255).rounded(), 0), 255)))
      }
      above = below
    }
    return Stencil(
      left: left, top: top, width: columns, height: bottom - top, coverage: coverage)
  }

  /// Returns the amount of ink left of and above a point, also between pixel corners.
  private func ink(left x: Double, above y: Double) -> Double {
    let x = min(max(x, 0), Double(width))
    let y = min(max(y, 0), Double(height))
    let column = min(Int(x), width - 1)
    let row = min(Int(y), height - 1)
    let corner = row * (width + 1) + column
    let below = corner + width + 1
    let across = x - Double(column)
    let down = y - Double(row)
    let upper = Double(sums[corner]) * (1 - across) + Double(sums[corner + 1]) * across
    let lower = Double(sums[below]) * (1 - across) + Double(sums[below + 1]) * across
    return upper * (1 - down) + lower * down
  }
}

/// A shape, given by its coverage of each pixel, 0...255, row by row.
struct Stencil: Sendable {
  /// The distance of the left edge to the right of the pen.
  let left: Int
  /// The distance of the top edge below the ascender line.
  let top: Int
  let width: Int
  let height: Int
  let coverage: [UInt8]
}
