import API

/// An encoder of gray pictures as sixels (DEC STD 070, Chapter 7).
///
/// Each band has six rows and is drawn once for each color.
package enum SixelEncoder {
  /// The number of gray shades in a picture.
  static let levels = 16
  /// The sequence that ends a picture, even an interrupted one (ST).
  package static let end = "\u{1B}\\"

  /// Returns the largest size of a picture that a line carries within about four seconds.
  ///
  /// A sample of a page takes about a third of a byte.
  package static func sides(for pace: RefreshPace) -> (width: Int, height: Int) {
    let samples = pace.capacity(within: .seconds(4), atMost: 1 << 20) * 3
    let height = min(240, max(48, Int((Double(samples) * 3 / 4).squareRoot())))
    return (min(320, height * 4 / 3), height)
  }

  /// Encodes a preview with its marks; empty if the report has no picture.
  static func encode(_ report: PreviewReport, _ page: PagePreviewReport? = nil) -> String {
    guard var samples = report.samples else { return "" }
    let framing = FramingMarks(report, page)
    let corners = framing.page.flatMap { corner in
      (-1...1).flatMap { down in
        (-1...1).map {
          FramingMarks.Point(column: corner.column + $0, row: corner.row + down)
        }
      }
    }
    let marks = framing.points(length: max(2, report.width / 24)).union(framing.textSides)
    for point in marks.union(corners)
    where (0..<report.width).contains(point.column) && (0..<report.height).contains(point.row) {
      let index = point.row * report.width + point.column
      samples[index] = samples[index] < 128 ? 255 : 0
    }
    return encode(samples, width: report.width)
  }

  /// Encodes a picture row by row from the top left; 0 is black, 255 is white.
  static func encode(_ luma: [UInt8], width: Int) -> String {
    let height = width > 0 ? luma.count / width : 0
    // Pixels that are not drawn keep their color; the pixels are square.
    var text = "\u{1B}P0;1;0q\"1;1;\(width);\(height)"
    for level in 0..<levels {
      let percent = (level * 100 + (levels - 1) / 2) / (levels - 1)
      text += "#\(level);2;\(percent);\(percent);\(percent)"
    }
    let shades = luma.map { (Int($0) * (levels - 1) + 127) / 255 }
    for top in stride(from: 0, to: height, by: 6) {
      if top > 0 { text += "-" }
      text += band(shades, width: width, rows: top..<min(top + 6, height))
    }
    return text + end
  }

  private static func band(_ shades: [Int], width: Int, rows: Range<Int>) -> String {
    var masks = [[UInt8]?](repeating: nil, count: levels)
    for (bit, row) in rows.enumerated() {
      for column in 0..<width {
        let shade = shades[row * width + column]
        masks[shade, default: [UInt8](repeating: 0, count: width)][column] |= 1 << bit
      }
    }
    return masks.enumerated().compactMap { shade, mask in
      mask.map { "#\(shade)" + runs($0) }
    }.joined(separator: "$")
  }

  /// Returns sixels with runs of four or more counted; omits empty ones at the end.
  private static func runs(_ mask: [UInt8]) -> String {
    var text = ""
    var rest = mask[...(mask.lastIndex { $0 != 0 } ?? 0)]
    while let first = rest.first {
      let count = rest.prefix { $0 == first }.count
      let sixel = Character(UnicodeScalar(63 + first))
      text += count > 3 ? "!\(count)\(sixel)" : String(repeating: sixel, count: count)
      rest = rest.dropFirst(count)
    }
    return text
  }
}

extension [[UInt8]?] {
  fileprivate subscript(index: Int, default value: @autoclosure () -> [UInt8]) -> [UInt8] {
    get { self[index] ?? value() }
    set { self[index] = newValue }
    _modify {
      var element = self[index] ?? value()
      self[index] = nil
      defer { self[index] = element }
      yield &element
    }
  }
}
