import Devices

/// A picture in linear light, with the primaries and the white of sRGB.
///
/// White at the right exposure is 1. Brighter light has larger numbers, and a color outside sRGB
/// has a negative one.
struct LinearPicture: Sendable {
  let size: FrameSize
  /// Red, green and blue of each pixel, row by row without gaps.
  var samples: [Float]

  /// Fills a rectangle of the picture with a color.
  mutating func fill(_ rectangle: PixelRectangle, with color: [Float]) {
    for y in rectangle.top..<max(rectangle.top, rectangle.bottom) {
      for x in rectangle.left..<max(rectangle.left, rectangle.right) {
        let first = 3 * (y * size.width + x)
        for channel in 0..<3 { samples[first + channel] = color[channel] }
      }
    }
  }

  /// Blurs a rectangle with the variance of a disk, in pixels; light stays in the rectangle.
  mutating func blur(_ rectangle: PixelRectangle, radius: Double) {
    let columns = rectangle.right - rectangle.left
    let rows = rectangle.bottom - rectangle.top
    guard radius > 0.1, columns > 0, rows > 0 else { return }
    let width = 3 * size.width
    let first = rectangle.top * width + 3 * rectangle.left
    for channel in first..<(first + 3) {
      for y in 0..<rows { blur(channel + y * width, count: columns, step: 3, radius) }
      for x in 0..<columns { blur(channel + 3 * x, count: rows, step: width, radius) }
    }
  }

  /// Blurs a line of samples by two moving averages.
  private mutating func blur(_ first: Int, count: Int, step: Int, _ radius: Double) {
    var line = [Double](repeating: 0, count: count)
    for index in 0..<count { line[index] = Double(samples[first + index * step]) }
    // A disk has a quarter of its squared radius in each direction.
    line = Self.averages(of: line, variance: radius * radius / 8)
    line = Self.averages(of: line, variance: radius * radius / 8)
    for index in 0..<count { samples[first + index * step] = Float(line[index]) }
  }

  /// Returns the moving averages of a line, whose first and last samples go on outside it.
  ///
  /// Weaker samples at both ends give exactly the variance: the extended box filter (Gwosdek,
  /// Grewenig, Bruhn, Weickert, 2011).
  private static func averages(of line: [Double], variance: Double) -> [Double] {
    // A box with full weights has the variance reach · (reach + 1) / 3.
    let reach = Int(((1 + 12 * variance).squareRoot() - 1) / 2)
    let count = Double(2 * reach + 1)
    let outermost = Double((reach + 1) * (reach + 1))
    let lack = variance - Double(reach * (reach + 1)) / 3
    let end = lack * count / (2 * (outermost - variance))
    let last = line.count - 1
    var averages = line
    var sum = (-reach...reach).reduce(0.0) { $0 + line[min(max($1, 0), last)] }
    for index in 0...last {
      let before = line[max(index - reach - 1, 0)]
      let after = line[min(index + reach + 1, last)]
      averages[index] = (sum + end * (before + after)) / (count + 2 * end)
      sum += after - line[max(index - reach, 0)]
    }
    return averages
  }
}
