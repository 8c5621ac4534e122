import Devices
import Glibc

/// The tables from samples of 8 bits to numbers of 14 bits that may be averaged, and back.
///
/// RGB samples become light by the transfer function of sRGB (IEC 61966-2-1). For luma that is an
/// approximation: luma is a weighted sum of coded colors, and only the luma of grays has the
/// transfer function. Chroma samples are averaged as they are. Both errors are of second order in
/// the differences between samples, and only samples that agree within the noise are averaged.
struct TransferTable {
  /// The greatest number.
  static let top: UInt32 = (1 << 14) - 1
  /// The number of units of a level in ``coded``.
  static let unitsPerLevel = 64

  /// The number of each sample.
  let numbers: [UInt32]
  /// The sample that is nearest to each number.
  let samples: [UInt8]

  /// The tables for averages of the samples themselves.
  static let coded = TransferTable(
    lowest: 0, scale: Double(Self.unitsPerLevel), number: { $0 }, sample: { $0 })

  /// Makes the tables for averages of light between samples for black and white.
  ///
  /// Samples beyond black and white stay different from these.
  static func light(_ range: ClosedRange<Int>) -> TransferTable {
    let (black, contrast) = (Double(range.lowerBound), Double(range.count - 1))
    func number(_ sample: Double) -> Double {
      let value = (sample - black) / contrast
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    func sample(_ number: Double) -> Double {
      let value = number <= 0.0031308 ? number * 12.92 : 1.055 * pow(number, 1 / 2.4) - 0.055
      return value * contrast + black
    }
    let scale = Double(top) / (number(255) - number(0))
    return TransferTable(lowest: number(0), scale: scale, number: number, sample: sample)
  }

  /// Makes the tables of a function and its inverse.
  private init(
    lowest: Double, scale: Double, number: (Double) -> Double, sample: (Double) -> Double
  ) {
    numbers = (0...255).map { UInt32(((number(Double($0)) - lowest) * scale).rounded()) }
    samples = (0...Int(Self.top)).map { index in
      UInt8(min(max(sample(Double(index) / scale + lowest).rounded(), 0), 255))
    }
  }
}
