import Devices

/// A painter of raw mosaics with 12 bits, as an IMX477 on a Raspberry Pi gives them.
///
/// The sensor sees a linear scene through its color filters. The matrix is the inverse of
/// libcamera's for 5881 K (`imx477.json`), and the light's white-balance gains are divided out.
struct RawMosaicPainter: Sendable {
  let format: RawFormat
  /// The color of the pixels in each block of two rows and two columns: 0 red, 1 green, 2 blue.
  private let colors: [Int]
  private let neutral: [Double]

  /// Makes a painter for a light's gains; `nil` unless the format is 12 plain bits in color.
  init?(_ format: RawFormat, gains: WhiteBalanceGains) {
    guard format.bitDepth == 12, format.packing != .pispCompressed else { return nil }
    switch format.mosaic {
    case .rggb: colors = [0, 1, 1, 2]
    case .bggr: colors = [2, 1, 1, 0]
    case .grbg: colors = [1, 0, 2, 1]
    case .gbrg: colors = [1, 2, 0, 1]
    case .monochrome: return nil
    }
    self.format = format
    neutral = [1 / gains.red, 1, 1 / gains.blue]
  }

  /// The numbers that a developer of the mosaics needs.
  var properties: RawProperties {
    RawProperties(
      blackLevels: [Double](repeating: SensorResponse.blackLevel, count: 4),
      whiteLevel: SensorResponse.whiteLevel, neutral: neutral,
      colorMatrix: RawMosaicPainter.product(cameraFromRGB, RawMosaicPainter.rgbFromXYZ))
  }

  /// Returns the bytes of a row, a multiple of 32.
  func bytesPerRow(width: Int) -> Int {
    let bytes = format.packing == .csi2 ? width / 2 * 3 : width * 2
    return (bytes + 31) / 32 * 32
  }

  /// Paints the mosaic of a frame number from a picture with even numbers of columns and rows.
  ///
  /// The brightness is the part of the range that white fills in green at the analog gain, as
  /// ``SceneLight/brightness(of:gain:)`` computes it. A mosaic has no digital gain.
  func bytes(
    of picture: LinearPicture, brightness: Double, analogueGain: Double, seed: UInt64,
    number: UInt64
  ) -> [UInt8] {
    let response = SensorResponse(analogueGain: analogueGain)
    let electronsFromRGB = cameraFromRGB.map { $0 * brightness * response.range }
    let range = SensorResponse.whiteLevel - SensorResponse.blackLevel
    let deviates = NoiseTile.deviates
    let width = picture.size.width
    let bytesPerRow = bytesPerRow(width: width)
    var bytes = [UInt8](repeating: 0, count: bytesPerRow * picture.size.height)
    var row = [UInt16](repeating: 0, count: width)
    for y in 0..<picture.size.height {
      let start = NoiseTile.start(seed: seed, number: number, row: y)
      for x in 0..<width {
        let filter = 3 * colors[2 * (y & 1) + (x & 1)]
        let first = 3 * (y * width + x)
        let electrons =
          electronsFromRGB[filter] * Double(picture.samples[first])
          + electronsFromRGB[filter + 1] * Double(picture.samples[first + 1])
          + electronsFromRGB[filter + 2] * Double(picture.samples[first + 2])
        let deviation = response.variance(ofElectrons: electrons).squareRoot() / 256
        let noise = deviation * Double(deviates[(start + x) & NoiseTile.mask])
        let signal = min(max(electrons, 0) + noise, SensorResponse.fullWell) / response.range
        let level = (SensorResponse.blackLevel + signal * range).rounded()
        row[x] = UInt16(min(max(level, 0), SensorResponse.whiteLevel))
      }
      pack(row, into: &bytes, at: y * bytesPerRow)
    }
    return bytes
  }

  /// Writes a row, packed as V4L2 describes its formats `SRGGB12` and `SRGGB12P`.
  private func pack(_ row: [UInt16], into bytes: inout [UInt8], at start: Int) {
    for x in row.indices {
      guard format.packing == .csi2 else {
        bytes[start + 2 * x] = UInt8(row[x] & 0xFF)
        bytes[start + 2 * x + 1] = UInt8(row[x] >> 8)
        continue
      }
      let first = start + x / 2 * 3
      bytes[first + x % 2] = UInt8(row[x] >> 4)
      bytes[first + 2] |= UInt8(row[x] & 0xF) << (x % 2 * 4)
    }
  }

  /// The matrix from linear sRGB to the light behind the filters, row by row.
  private var cameraFromRGB: [Double] {
    let balanced = [
      0.51939, 0.28482, 0.19579, 0.12139, 0.60846, 0.27015, 0.08171, 0.17935, 0.73894,
    ]
    return (0..<9).map { balanced[$0] * neutral[$0 / 3] }
  }

  /// The matrix from XYZ with white D65 to linear sRGB (IEC 61966-2-1).
  private static let rgbFromXYZ = [
    3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434, -0.2040259,
    1.0572252,
  ]

  private static func product(_ first: [Double], _ second: [Double]) -> [Double] {
    var result = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        for index in 0..<3 {
          result[3 * row + column] += first[3 * row + index] * second[3 * index + column]
        }
      }
    }
    return result
  }
}
