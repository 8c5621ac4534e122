import Devices
import Glibc

/// The colors of the chart in a development of its raw frame by another program.
extension ColorChart {
  /// The options of LibRaw's `dcraw_emu` for ``differences(ofDevelopment:)``, besides the file.
  ///
  /// The development is neutral: the camera's white balance, and linear light in XYZ with 16 bits.
  package static let development = ["-w", "-4", "-o", "5", "-c", "0", "-Z", "-"]

  /// Returns the differences of the patches from the maker's colors (CIEDE2000).
  ///
  /// - Parameter picture: the PPM picture of the chart, upright and in focus.
  /// - Returns: `nil` for bytes of another form.
  package static func differences(ofDevelopment picture: [UInt8]) -> [Double]? {
    // The header is three lines: the kind, the width and height, the largest sample.
    let lines = picture.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4 else { return nil }
    let numbers = String(decoding: lines[1], as: UTF8.self).split(separator: " ")
      .compactMap { Int($0) }
    guard numbers.count == 2, lines[3].count == 6 * numbers[0] * numbers[1] else { return nil }
    let size = FrameSize(width: numbers[0], height: numbers[1])
    let samples = Array(lines[3])
    return patches.indices.map { index in
      let place = PageSceneLayout(size: size).pixels(of: place(of: index), turn: .none)
      return difference(lab(ofXYZ: mean(of: samples, size, in: place)), patches[index].lab)
    }
  }

  /// Returns the mean X, Y and Z of the middle of a rectangle.
  private static func mean(
    of samples: [UInt8], _ size: FrameSize, in place: PixelRectangle
  ) -> [Double] {
    let (width, height) = (place.right - place.left, place.bottom - place.top)
    var sums = [0, 0, 0]
    for y in place.top + height / 4..<place.bottom - height / 4 {
      for x in place.left + width / 4..<place.right - width / 4 {
        for channel in 0..<3 {
          let first = 2 * (3 * (y * size.width + x) + channel)
          sums[channel] += Int(samples[first]) << 8 | Int(samples[first + 1])
        }
      }
    }
    let count = (width - width / 4 * 2) * (height - height / 4 * 2)
    return sums.map { Double($0) / Double(max(count, 1)) / 65535 }
  }

  /// Returns L\*, a\* and b\* in D50 of a color in XYZ with the white D65.
  private static func lab(ofXYZ xyz: [Double]) -> [Double] {
    // Bradford's adaptation from D65 to D50, and the white of D50.
    let matrix = [
      [1.0478112, 0.0228866, -0.0501270], [0.0295424, 0.9904844, -0.0170491],
      [-0.0092345, 0.0150436, 0.7521316],
    ]
    let white = [0.96422, 1, 0.82521]
    let parts = (0..<3).map { (row: Int) -> Double in
      let adapted = matrix[row][0] * xyz[0] + matrix[row][1] * xyz[1] + matrix[row][2] * xyz[2]
      let part = adapted / white[row]
      return part > 216.0 / 24389 ? cbrt(part) : (24389.0 / 27 * part + 16) / 116
    }
    return [116 * parts[1] - 16, 500 * (parts[0] - parts[1]), 200 * (parts[1] - parts[2])]
  }

  /// Returns the difference of two colors in L\*, a\* and b\* (CIEDE2000).
  ///
  /// The formula is that of G. Sharma, W. Wu and E. Dalal, "The CIEDE2000 Color-Difference Formula"
  /// (2005).
  static func difference(_ one: [Double], _ other: [Double]) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * Double.pi / 180 }
    /// Returns a root that grows from 0 to 1 with chroma.
    func saturation(_ chroma: Double) -> Double {
      let power = pow(chroma, 7)
      return (power / (power + pow(25, 7))).squareRoot()
    }
    let meanChroma = (hypot(one[1], one[2]) + hypot(other[1], other[2])) / 2
    let stretch = 1.5 - 0.5 * saturation(meanChroma)
    let (a1, a2) = (one[1] * stretch, other[1] * stretch)
    let (c1, c2) = (hypot(a1, one[2]), hypot(a2, other[2]))
    let (h1, h2) = (hue(a1, one[2]), hue(a2, other[2]))
    let areColored = c1 * c2 > 0
    var turn = areColored ? h2 - h1 : 0
    if turn > Double.pi { turn -= 2 * Double.pi }
    if turn < -Double.pi { turn += 2 * Double.pi }
    var meanHue = areColored ? (h1 + h2) / 2 : h1 + h2
    if areColored, abs(h1 - h2) > Double.pi {
      meanHue += h1 + h2 < 2 * Double.pi ? Double.pi : -Double.pi
    }
    let (lightness, chroma) = ((one[0] + other[0]) / 2, (c1 + c2) / 2)
    var weight = 1 - 0.17 * cos(meanHue - radians(30))
    weight += 0.24 * cos(2 * meanHue) + 0.32 * cos(3 * meanHue + radians(6))
    weight -= 0.2 * cos(4 * meanHue - radians(63))
    let offset = (lightness - 50) * (lightness - 50)
    let lightnessPart = (other[0] - one[0]) / (1 + 0.015 * offset / (20 + offset).squareRoot())
    let chromaPart = (c2 - c1) / (1 + 0.045 * chroma)
    let huePart = 2 * (c1 * c2).squareRoot() * sin(turn / 2) / (1 + 0.015 * chroma * weight)
    let blue = (meanHue - radians(275)) / radians(25)
    let rotation = -2 * saturation(chroma) * sin(radians(60) * exp(-blue * blue))
    let squares = lightnessPart * lightnessPart + chromaPart * chromaPart + huePart * huePart
    return (squares + rotation * chromaPart * huePart).squareRoot()
  }

  /// Returns the angle of a color in the plane of a\* and b\*, from 0 to 2π; 0 for a gray.
  private static func hue(_ a: Double, _ b: Double) -> Double {
    guard a != 0 || b != 0 else { return 0 }
    let angle = atan2(b, a)
    return angle < 0 ? angle + 2 * Double.pi : angle
  }
}
