/// The form of a sensor's samples before any image processing.
package struct RawFormat: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The order of the colors in the 2×2 tile of the mosaic, row by row.
  package enum Mosaic: String, Sendable, Hashable, Codable, CaseIterable {
    case rggb, bggr, grbg, gbrg
    /// No color filter.
    case monochrome
  }

  /// The placement of the samples in bytes.
  package enum Packing: String, Sendable, Hashable, Codable, CaseIterable {
    /// Little-endian words of 16 bits, the sample in the low bits.
    case none
    /// The packing of MIPI CSI-2: high bytes, then a byte with the low bits of a group.
    case csi2
    /// The compression of a Raspberry Pi 5's processor, a byte for each sample (`PISP_COMP1`).
    ///
    /// The samples have 16 bits.
    case pispCompressed
  }

  /// The colors of the tile.
  package var mosaic: Mosaic
  /// The bits of a sample: 8, 10, 12, 14 or 16.
  package var bitDepth: Int
  /// The placement of the samples in bytes.
  package var packing: Packing

  package init(mosaic: Mosaic, bitDepth: Int, packing: Packing) {
    self.mosaic = mosaic
    self.bitDepth = bitDepth
    self.packing = packing
  }

  /// The form in words, for example `12 bits, rggb, csi2`.
  package var description: String {
    "\(bitDepth.counted("bit")), \(mosaic.rawValue), \(packing.rawValue)"
  }
}

/// The values of a raw frame that turn its samples into colors.
package struct RawProperties: Sendable, Hashable, Codable {
  /// The black levels by position in the mosaic's 2×2 tile, row by row, in units of the bit depth.
  package var blackLevels: [Double]
  /// The sample of a saturated pixel, in units of the bit depth.
  package var whiteLevel: Double
  /// The red, green and blue of a neutral object in the sensor's colors (`AsShotNeutral`).
  package var neutral: [Double]
  /// The matrix from CIE XYZ to the sensor's colors under the light D65, row by row.
  ///
  /// DNG's names are `ColorMatrix1` and `CalibrationIlluminant1`.
  package var colorMatrix: [Double]

  package init(
    blackLevels: [Double], whiteLevel: Double, neutral: [Double], colorMatrix: [Double]
  ) {
    self.blackLevels = blackLevels
    self.whiteLevel = whiteLevel
    self.neutral = neutral
    self.colorMatrix = colorMatrix
  }
}
