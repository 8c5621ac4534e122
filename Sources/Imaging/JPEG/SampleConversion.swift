import Devices

/// The conversion of a frame's luma and chroma to JFIF's: BT.601 with the full range (T.871 §7).
///
/// Neutral colors have the same luma in every matrix. With chroma centered at zero, the change from
/// BT.709 to BT.601 is Y' = Y + a·Cb + b·Cr. Chroma is changed by a 2×2 matrix.
struct SampleConversion {
  /// The full-range value of each luma sample, before ``matrix`` is applied.
  let luma: [UInt8]
  /// The full-range value of each chroma sample, before ``matrix`` is applied.
  let chroma: [UInt8]
  /// The change of matrix, for full-range values; `nil` when the frame is BT.601 already.
  let matrix: Matrix?

  /// A change of the luma-chroma matrix in 16.16 fixed point.
  struct Matrix {
    /// The change of luma for each unit of Cb and Cr.
    let lumaFromCb: Int32, lumaFromCr: Int32
    /// The new Cb for each unit of Cb and Cr.
    let cbFromCb: Int32, cbFromCr: Int32
    /// The new Cr for each unit of Cb and Cr.
    let crFromCb: Int32, crFromCr: Int32
  }

  /// Makes the conversion that a color space needs; `nil` for none.
  ///
  /// A luma-chroma frame without a color space counts as limited BT.601, as in V4L2's defaults
  /// (`V4L2_MAP_QUANTIZATION_DEFAULT`).
  init?(from colorSpace: ColorSpace) {
    switch colorSpace {
    case .jpeg: return nil
    case .bt601Limited, .unspecified: self.init(matrix: nil)
    case .bt709Limited: self.init(matrix: .bt709ToBT601)
    }
  }

  private init(matrix: Matrix?) {
    luma = Self.table(from: 16, steps: 219, center: 16, to: 0)
    chroma = Self.table(from: 16, steps: 224, center: 128, to: 128)
    self.matrix = matrix
  }

  /// Makes the table that expands a limited range to 0...255 about the value that stands for zero.
  private static func table(from lowest: Int, steps: Int, center: Int, to zero: Int) -> [UInt8] {
    (0..<256).map { sample in
      let value = Double(sample - center) * 255 / Double(steps) + Double(zero)
      return UInt8(min(max(value.rounded(), 0), 255))
    }
  }
}

extension SampleConversion.Matrix {
  /// The matrix from BT.709 to BT.601, derived from the luma weights of both.
  static let bt709ToBT601 = Self(fromRed: 0.2126, blue: 0.0722, toRed: 0.299, blue: 0.114)

  /// Derives the change from the weights of red and blue in the luma of both matrices.
  ///
  /// With R = Y + 2(1−Kr)·Cr and B = Y + 2(1−Kb)·Cb the new luma is Y plus the weighted
  /// differences. The new chroma follows from the new luma.
  private init(
    fromRed red: Double, blue: Double, toRed newRed: Double, blue newBlue: Double
  ) {
    let green = 1 - red - blue
    let newGreen = 1 - newRed - newBlue
    // The factors are R − Y, G − Y and B − Y for one unit of Cb and of Cr.
    let redFromCr = 2 * (1 - red)
    let blueFromCb = 2 * (1 - blue)
    let greenFromCb = -blue * blueFromCb / green
    let greenFromCr = -red * redFromCr / green
    let lumaFromCb = newGreen * greenFromCb + newBlue * blueFromCb
    let lumaFromCr = newGreen * greenFromCr + newRed * redFromCr
    func fixed(_ value: Double) -> Int32 { Int32((value * 65536).rounded()) }
    self.init(
      lumaFromCb: fixed(lumaFromCb), lumaFromCr: fixed(lumaFromCr),
      cbFromCb: fixed((blueFromCb - lumaFromCb) / (2 * (1 - newBlue))),
      cbFromCr: fixed(-lumaFromCr / (2 * (1 - newBlue))),
      crFromCb: fixed(-lumaFromCb / (2 * (1 - newRed))),
      crFromCr: fixed((redFromCr - lumaFromCr) / (2 * (1 - newRed))))
  }
}
